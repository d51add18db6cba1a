package dev.laurel.server.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "127.0.0.1",
        "127.255.0.9",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "2002:7f00:1::",
        "2001:0:1::1"
      })
  void isPublic_inside_isFalse(String address) {
    assertThat(Addresses.isPublic(InetAddress.ofLiteral(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "100.63.0.1",
        "100.128.0.1",
        "172.32.0.1",
        "192.169.0.1",
        "223.255.255.1",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "::ffff:1.1.1.1"
      })
  void isPublic_outside_isTrue(String address) {
    assertThat(Addresses.isPublic(InetAddress.ofLiteral(address))).isTrue();
  }
}
