package dev.laurel.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a page may cost where each reads all rows before it. */
class DeepPagesTest {
  private static final long ROWS = StoredRanking.DEEPEST + 5_000;

  private final List<Long> read = new ArrayList<>();

  /** As the store ranks: what it is asked for is written down, not done. */
  private Rankings.View stored() {
    Ranking ranking =
        (Ranking)
            Proxy.newProxyInstance(
                Ranking.class.getClassLoader(),
                new Class<?>[] {Ranking.class},
                (_, method, args) ->
                    switch (method.getName()) {
                      case "size" -> ROWS;
                      case "deepest" -> StoredRanking.DEEPEST;
                      case "page" -> {
                        read.add((Long) args[0]);
                        yield null;
                      }
                      default -> throw new IllegalStateException(method.getName());
                    });
    return new Rankings.View(ranking, new UserDictionary());
  }

  @Test
  void page_asDeepAsItMayBe_isRead() {
    stored().page(StoredRanking.DEEPEST, 10, (rank, user, score, reached) -> {});
    assertThat(read).containsExactly(StoredRanking.DEEPEST);
  }

  @Test
  void page_deeper_isRefusedBeforeAnythingIsRead() {
    assertThatThrownBy(
            () -> stored().page(StoredRanking.DEEPEST + 1, 10, (rank, user, score, reached) -> {}))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.PAGE_TOO_DEEP));
    assertThat(read).isEmpty();
  }

  @Test
  void page_beyondTheEnd_isEmptyAndReadsNothing() {
    stored().page(ROWS, 10, (rank, user, score, reached) -> {});
    stored().page(Long.MAX_VALUE, 10, (rank, user, score, reached) -> {});
    assertThat(read).isEmpty();
  }

  @Test
  void page_fromMemory_mayBeAnywhere() {
    UserDictionary users = new UserDictionary();
    RankSnapshot memory =
        RankSnapshot.builder(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST, users).build(0);
    assertThat(memory.deepest()).isEqualTo(Long.MAX_VALUE);
    new Rankings.View(memory, users)
        .page(Long.MAX_VALUE - 10, 5, (rank, user, score, reached) -> read.add(rank));
    assertThat(read).isEmpty();
  }
}
