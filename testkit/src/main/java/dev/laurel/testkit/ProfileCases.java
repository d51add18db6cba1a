package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.StoredId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Profiles are followed by revision; a user can get another id, and what is personal can go. */
interface ProfileCases extends StoreCases {
  private List<Profile> since(long revision) {
    return store().read(tx -> tx.profilesSince(revision));
  }

  private static Profile profile(int user, @Nullable String name) {
    return new Profile(1, user, name, 7, Long.MIN_VALUE, Profile.State.KEPT, 3, 99);
  }

  @Test
  default void putProfile_again_replacesItWithANewRevision() {
    write(tx -> tx.putProfile(profile(1, "\u00fc \ud83c\udfc6")));
    long first = revision();
    write(tx -> tx.putProfile(profile(2, null)));
    long second = revision();
    assertThat(second).isGreaterThan(first);
    assertThat(since(0)).containsExactly(profile(1, "\u00fc \ud83c\udfc6"), profile(2, null));
    assertThat(since(first)).containsExactly(profile(2, null));
    assertThat(store().<@Nullable Profile>read(tx -> tx.profile(1, 2))).isEqualTo(profile(2, null));
    assertThat(store().<@Nullable Profile>read(tx -> tx.profile(2, 2))).isNull();
    Profile erased = profile(1, null).in(Profile.State.ERASED);
    write(tx -> tx.putProfile(erased));
    reopen();
    assertThat(since(second)).containsExactly(erased);
    assertThat(since(0)).containsExactly(profile(2, null), erased);
  }

  @Test
  default void renameUser_freesTheOldId() {
    store().assignUsers(1, KnownUsers.NOBODY, List.of("a", "b"));
    write(tx -> tx.renameUser(1, 1, "x"));
    assertThat(store().<String>read(tx -> tx.userId(1, 1))).isEqualTo("x");
    assertThat(store().assignUsers(1, known(2), List.of("a"))).containsExactly(3);
    List<String> all = new ArrayList<>();
    store()
        .read(
            tx -> {
              tx.users(1, 0, (number, id) -> all.add(number + id));
              return true;
            });
    assertThat(all).containsExactly("1x", "2b", "3a");
  }

  @Test
  default void linesOf_aUser_areThoseOfTheRange() {
    Board board = Samples.create(store(), Samples.board("b"));
    int shard = board.shard();
    write(
        tx -> {
          tx.lockShard(shard);
          tx.append(
              shard,
              List.of(
                  Samples.line(shard, 1, board.id(), 1),
                  Samples.line(shard, 2, board.id(), 2),
                  Samples.line(shard, 3, board.id(), 1),
                  Samples.line(shard, 4, board.id(), 1)));
        });
    assertThat(store().<List<LedgerLine>>read(tx -> tx.linesOf(shard, 1, 0, 3, 10)))
        .containsExactly(
            Samples.line(shard, 1, board.id(), 1), Samples.line(shard, 3, board.id(), 1));
  }

  @Test
  default void eraseAnswers_withTheText_areGoneAndTheIdsAreNot() {
    StoredId with = id(1, "k1", "{\"userId\":\"b\u00fcb\"}");
    StoredId other = id(1, "k2", "{\"userId\":\"b\u00fcbchen\"}");
    StoredId elsewhere = id(2, "k1", "{\"userId\":\"b\u00fcb\"}");
    write(tx -> tx.putIds(List.of(with, other, elsewhere)));
    List<String> texts = List.of("\"nobody\"", "\"b\u00fcb\"");
    // One after the other: what contains the text is in one of the chunks.
    IdChunk chunk = new IdChunk(1, null, null, 0);
    int containing = 0;
    do {
      Digest after = chunk.last();
      chunk = store().read(tx -> tx.answerChunk(1, after, texts, 1));
      IdChunk looked = chunk;
      containing += looked.old();
      write(tx -> tx.eraseAnswers(looked, texts));
    } while (chunk.last() != null);
    assertThat(containing).isEqualTo(1);
    Map<StoredId.Name, StoredId> found =
        store().read(tx -> tx.ids(List.of(with.name(), other.name(), elsewhere.name())));
    assertThat(found).hasSize(3);
    assertThat(found.get(with.name())).extracting(StoredId::answer).isNull();
    assertThat(found.get(other.name())).extracting(StoredId::answer).isNotNull();
    assertThat(found.get(elsewhere.name())).extracting(StoredId::answer).isNotNull();
  }

  private static StoredId id(long board, String key, String answer) {
    return new StoredId(
        board,
        Digest.of(key),
        Digest.of("p"),
        1,
        true,
        1,
        1,
        1,
        answer.getBytes(StandardCharsets.UTF_8));
  }
}
