package dev.laurel.core.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankSnapshotTest {
  private final UserDictionary ids =
      RandomIds.dictionary(IntStream.rangeClosed(1, 1000).mapToObj(i -> "user_" + i).toList());

  @Test
  void page_oneScoreAThousandUsers_areInOrderOfTimeThenId() {
    List<Integer> users = new ArrayList<>(IntStream.rangeClosed(1, 1000).boxed().toList());
    Collections.shuffle(users, new Random(7));
    var editor = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST, ids).edit();
    // Ten users a millisecond.
    users.forEach(user -> editor.put(user, 500, user % 100, false));
    RankSnapshot snapshot = editor.build(1);

    List<Integer> expected = new ArrayList<>(users);
    expected.sort(
        (a, b) -> a % 100 != b % 100 ? a % 100 - b % 100 : ("user_" + a).compareTo("user_" + b));
    assertThat(usersOf(snapshot)).isEqualTo(expected);
    assertThat(ranksOf(snapshot)).isEqualTo(LongStream.rangeClosed(1, 1000).boxed().toList());
    snapshot.checkInvariants();
  }

  @ParameterizedTest
  @EnumSource(Ties.class)
  void page_startsInTheMiddleOfATie_ranksAsFromTheStart(Ties ties) {
    var editor = RankSnapshot.empty(Order.HIGHEST_FIRST, ties, ids).edit();
    // Ties far longer than a leaf: 1 × 3, 500 × 2, 499 × 1.
    for (int user = 1; user <= 1000; user++) {
      editor.put(user, user == 1 ? 3 : user <= 501 ? 2 : 1, user, false);
    }
    RankSnapshot snapshot = editor.build(1);
    List<Long> all = ranksOf(snapshot);
    for (int offset : new int[] {0, 1, 2, 63, 64, 65, 300, 500, 501, 502, 999}) {
      List<Long> ranks = new ArrayList<>();
      snapshot.page(offset, 5, (rank, user, score, reached) -> ranks.add(rank));
      assertThat(ranks).isEqualTo(all.subList(offset, Math.min(offset + 5, 1000)));
    }
    assertThat(all.get(999))
        .isEqualTo(
            switch (ties) {
              case EARLIEST_FIRST -> 1000L;
              case SHARED -> 502L;
              case DENSE -> 3L;
            });
  }

  @Test
  void page_scoresBeyondADouble_areRankedApart() {
    var editor = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.SHARED, ids).edit();
    editor.put(1, 9007199254740992L, 1, false);
    editor.put(2, 9007199254740993L, 2, false);
    RankSnapshot snapshot = editor.build(1);
    assertThat(usersOf(snapshot)).containsExactly(2, 1);
    assertThat(ranksOf(snapshot)).containsExactly(1L, 2L);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void page_extremeScores_areInOrder(Order order) {
    long[] scores = {0, Long.MAX_VALUE, -1, Long.MIN_VALUE, 1};
    var editor = RankSnapshot.empty(order, Ties.EARLIEST_FIRST, ids).edit();
    for (int i = 0; i < scores.length; i++) {
      editor.put(i + 1, scores[i], Long.MIN_VALUE, false);
    }
    RankSnapshot snapshot = editor.build(1);
    List<Integer> ascending = List.of(4, 3, 1, 5, 2);
    assertThat(usersOf(snapshot))
        .isEqualTo(order == Order.LOWEST_FIRST ? ascending : ascending.reversed());
    assertThat(snapshot.better(order == Order.LOWEST_FIRST ? Long.MAX_VALUE : Long.MIN_VALUE))
        .isEqualTo(4);
    assertThat(snapshot.countUpTo(Long.MIN_VALUE, Long.MAX_VALUE, 1))
        .isEqualTo(order == Order.LOWEST_FIRST ? 1 : 5);
  }

  @Test
  void everything_emptySnapshot_answers() {
    RankSnapshot empty = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.DENSE, ids);
    assertThat(empty.size()).isZero();
    assertThat(empty.row(1)).isNull();
    assertThat(empty.rank(1)).isZero();
    assertThat(empty.position(1)).isEqualTo(-1);
    assertThat(empty.better(0)).isZero();
    assertThat(empty.countUpTo(0, 0, 1)).isZero();
    assertThat(usersOf(empty)).isEmpty();
    long[] rank = {7};
    empty.ranks(new int[] {1}, 1, rank, new long[1], new long[1]);
    assertThat(rank[0]).isZero();
    assertThat(RankSnapshot.builder(Order.HIGHEST_FIRST, Ties.DENSE, ids).build(3).line())
        .isEqualTo(3);
    empty.checkInvariants();
  }

  @Test
  void page_outsideTheRows_isEmptyOrRefused() {
    var editor = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.SHARED, ids).edit();
    editor.put(1, 1, 1, false);
    RankSnapshot snapshot = editor.build(1);
    snapshot.page(1, 10, (rank, user, score, reached) -> assertThat(user).isZero());
    snapshot.page(
        Long.MAX_VALUE,
        Integer.MAX_VALUE,
        (rank, user, score, reached) -> assertThat(user).isZero());
    assertThatThrownBy(() -> snapshot.page(-1, 1, (rank, user, score, reached) -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> snapshot.page(0, -1, (rank, user, score, reached) -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void put_onlyMetadataChanges_isSeen() {
    var editor = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.SHARED, ids).edit();
    editor.put(31, 1, 1, false);
    editor.put(32, 1, 1, true);
    RankSnapshot before = editor.build(1);
    var next = before.edit();
    next.put(31, 1, 1, true);
    next.put(32, 1, 1, false);
    RankSnapshot after = next.build(2);
    assertThat(before.row(31)).isEqualTo(new Ranking.Row(1, 31, 1, 1, false));
    assertThat(before.row(32)).isEqualTo(new Ranking.Row(1, 32, 1, 1, true));
    assertThat(after.row(31)).isEqualTo(new Ranking.Row(1, 31, 1, 1, true));
    assertThat(after.row(32)).isEqualTo(new Ranking.Row(1, 32, 1, 1, false));
  }

  @Test
  void edit_twiceFromOneSnapshot_branchesDoNotMeet() {
    RankSnapshot base = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.SHARED, ids);
    var one = base.edit();
    var two = base.edit();
    one.put(1, 1, 1, false);
    two.put(2, 2, 2, false);
    assertThat(usersOf(one.build(1))).containsExactly(1);
    assertThat(usersOf(two.build(1))).containsExactly(2);
    assertThat(base.size()).isZero();
  }

  @Test
  void editor_afterBuild_isDead() {
    var editor = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.SHARED, ids).edit();
    editor.build(1);
    assertThatThrownBy(() -> editor.put(1, 1, 1, false)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> editor.remove(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> editor.build(2)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void put_userNotInTheDictionary_isRefused() {
    var editor = RankSnapshot.empty(Order.HIGHEST_FIRST, Ties.SHARED, ids).edit();
    assertThatThrownBy(() -> editor.put(1001, 1, 1, false))
        .hasMessage("user: 1001 (expected: 1..1000)");
    assertThatThrownBy(() -> editor.put(0, 1, 1, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(editor.remove(1001)).isFalse();
    assertThat(editor.remove(-5)).isFalse();
  }

  @Test
  void builder_userTwice_isRefused() {
    var builder = RankSnapshot.builder(Order.HIGHEST_FIRST, Ties.SHARED, ids).add(1, 1, 1, false);
    assertThatThrownBy(() -> builder.add(1, 2, 2, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Integer> usersOf(RankSnapshot snapshot) {
    List<Integer> users = new ArrayList<>();
    snapshot.forEach((rank, user, score, reached) -> users.add(user));
    return users;
  }

  private static List<Long> ranksOf(RankSnapshot snapshot) {
    List<Long> ranks = new ArrayList<>();
    snapshot.forEach((rank, user, score, reached) -> ranks.add(rank));
    return ranks;
  }
}
