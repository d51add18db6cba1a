package dev.laurel.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CursorsTest {
  private static final Cursor CURSOR = new Cursor(7, 4_711, 1_700_000_000_000L, 123_456_789, 99);

  private static byte[] secret(int seed) {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) seed);
    return secret;
  }

  @Test
  void open_sealedByAnotherNodeOfTheStore_isTheSame() {
    String sealed = new Cursors(secret(1)).seal(CURSOR);
    assertThat(new Cursors(secret(1)).open(sealed)).isEqualTo(CURSOR);
    assertThat(sealed).matches("[A-Za-z0-9_-]{86}");
    assertThat(new Cursors(secret(2)).open(sealed)).isNull();
  }

  @Test
  void seal_sameUserOnManyBoards_showsNothingThatIsTheSame() {
    Cursors cursors = new Cursors(secret(1));
    byte[] user = ByteBuffer.allocate(4).putInt(CURSOR.user()).array();
    Set<String> parts = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      byte[] sealed =
          Base64.getUrlDecoder()
              .decode(cursors.seal(new Cursor(i, 4_711, 1_700_000_000_000L, CURSOR.user(), 99)));
      assertThat(indexOf(sealed, user)).isEqualTo(-1);
      // What is behind the nonce, in pieces as long as a user's number.
      parts.add(Arrays.toString(Arrays.copyOfRange(sealed, 12 + 24, 12 + 28)));
    }
    assertThat(parts).hasSizeGreaterThan(990);
  }

  private static int indexOf(byte[] all, byte[] part) {
    for (int i = 0; i + part.length <= all.length; i++) {
      if (Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void open_changedInAnyBit_isNull() {
    Cursors cursors = new Cursors(secret(1));
    byte[] sealed = Base64.getUrlDecoder().decode(cursors.seal(CURSOR));
    for (int bit = 0; bit < sealed.length * 8; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(cursors.open(Base64.getUrlEncoder().withoutPadding().encodeToString(changed)))
          .isNull();
    }
    assertThat(cursors.open("")).isNull();
    assertThat(cursors.open("!".repeat(86))).isNull();
    assertThat(cursors.open("A".repeat(86))).isNull();
  }
}
