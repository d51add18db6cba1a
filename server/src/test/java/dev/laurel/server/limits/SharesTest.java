package dev.laurel.server.limits;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SharesTest {
  @Test
  void enter_tenantWithItsPart_leavesTheRestToOthers() {
    Shares shares = new Shares(3, 2);
    shares.enter(1);
    shares.enter(1);
    assertThatThrownBy(() -> shares.enter(1)).hasMessageContaining("of this tenant");
    shares.enter(2);
    assertThatThrownBy(() -> shares.enter(3)).hasMessageContaining("too many at once");
    shares.leave(1);
    shares.enter(3);
    shares.leave(3);
    shares.enter(1);
  }
}
