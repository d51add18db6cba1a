package dev.laurel.server.outbound;

import java.io.IOException;
import java.net.InetAddress;

/**
 * Tells addresses of the open internet from those inside: a tenant must not reach, through us, what
 * only we can reach. By the registries of special-purpose addresses (RFC 6890).
 */
final class Addresses {
  private Addresses() {}

  static void requirePublic(InetAddress address) throws IOException {
    if (!isPublic(address)) {
      throw new IOException(
          "address: not public (expected: one of the internet, or the setting webhook-private)");
    }
  }

  static boolean isPublic(InetAddress address) {
    if (address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return false;
    }
    byte[] bytes = address.getAddress();
    return bytes.length == 4
        ? isPublic4(bytes[0] & 0xff, bytes[1] & 0xff, bytes[2] & 0xff)
        : isPublic6(bytes);
  }

  private static boolean isPublic4(int a, int b, int c) {
    return a != 0 // this network
        && !(a == 100 && b >= 64 && b < 128) // carriers' NAT
        && !(a == 192 && b == 0 && c == 0) // protocol assignments
        && !(a == 198 && (b == 18 || b == 19)) // benchmarks
        && a < 240; // reserved, broadcast
  }

  /**
   * Global unicast is 2000::/3; in it, 6to4 and Teredo carry IPv4 addresses that could be any.
   * (Java hands out IPv4-mapped ones as IPv4.)
   */
  private static boolean isPublic6(byte[] bytes) {
    int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    boolean teredo = first == 0x2001 && bytes[2] == 0 && bytes[3] == 0;
    return (first & 0xe000) == 0x2000 && first != 0x2002 && !teredo;
  }
}
