package dev.laurel.server.limits;

import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose word about a caller's address counts. X-Forwarded-For is a list to which every proxy adds
 * whom it heard from; everything left of the last proxy that is ours is what a stranger wrote.
 */
public record TrustedProxies(List<Network> networks) {
  static final String FORWARDED_FOR = "X-Forwarded-For";

  /** Addresses that begin with the same bits. */
  public record Network(byte[] address, int bits) {
    boolean contains(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit & 7);
        if ((other[bit >> 3] & mask) != (address[bit >> 3] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * @param text addresses and networks: {@code 127.0.0.1,10.0.0.0/8}; empty for none
   * @throws IllegalArgumentException if it is something else
   */
  public static TrustedProxies parse(String text) {
    List<Network> networks = new ArrayList<>();
    for (String part : text.isBlank() ? new String[0] : text.split(",")) {
      String[] halves = part.strip().split("/", 2);
      byte[] address = InetAddress.ofLiteral(halves[0]).getAddress();
      int bits = halves.length == 1 ? address.length * 8 : Integer.parseInt(halves[1]);
      if (bits < 0 || bits > address.length * 8) {
        throw new IllegalArgumentException(part);
      }
      networks.add(new Network(address, bits));
    }
    return new TrustedProxies(List.copyOf(networks));
  }

  /** Names whoever calls, for counting; of IPv6 the network, as a subscriber has a whole one. */
  public String client(String peer, HttpServerRequest request) {
    return client(peer, request.headers().getAll(FORWARDED_FOR));
  }

  /**
   * @param forwarded what X-Forwarded-For says, line by line
   */
  String client(String peer, List<String> forwarded) {
    byte[] client = address(peer);
    if (client == null) {
      return "";
    }
    if (isTrusted(client)) {
      String[] hops = String.join(",", forwarded).split(",");
      for (int i = hops.length - 1; i >= 0 && isTrusted(client); i--) {
        byte[] next = address(hops[i].strip());
        if (next == null) {
          break;
        }
        client = next;
      }
    }
    return Arrays.toString(client.length == 16 ? Arrays.copyOf(client, 8) : client);
  }

  public boolean isTrusted(InetAddress address) {
    return isTrusted(address.getAddress());
  }

  private boolean isTrusted(byte[] address) {
    return networks.stream().anyMatch(network -> network.contains(address));
  }

  private static byte @Nullable [] address(String text) {
    try {
      return InetAddress.ofLiteral(text).getAddress();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
