package dev.laurel.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Rules;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever applies what a feed says has the rows that a look at the whole board gives. */
class FeedTest {
  private static final int USERS = 40;
  private static final long EPOCH = -7;

  @ParameterizedTest
  @EnumSource
  void take_randomChanges_clientsHaveTheRangeAndCanResume(Ties ties) {
    Seeds.withSeed(
        random -> {
          for (int round = 0; round < 60; round++) {
            Range range =
                random.nextBoolean()
                    ? new Range.Top(1 + random.nextInt(12))
                    : new Range.Around("u" + random.nextInt(USERS), random.nextInt(6));
            follow(random, range, ties);
          }
        });
  }

  private static void follow(Random random, Range range, Ties ties) {
    Play play = new Play(ties);
    play.change(random, USERS);
    Feed feed = new Feed(range, new Lines());
    assertThat(play.look(feed)).isNull();
    Client steady = new Client();
    steady.apply(feed.first(null));
    Client flaky = new Client();
    flaky.apply(feed.first(null));
    boolean away = false;
    for (int i = 0; i < 80; i++) {
      if (random.nextInt(25) == 0) {
        play.nextSeason();
      }
      play.change(random, random.nextInt(4) == 0 ? USERS : 1 + random.nextInt(3));
      byte[] message = play.look(feed);
      if (message != null) {
        steady.apply(message);
        if (!away) {
          flaky.apply(message);
        }
      }
      assertThat(steady.rows).isEqualTo(play.expected(range));
      if (random.nextInt(4) == 0) {
        if (away) {
          byte[] rest = feed.first(flaky.id);
          assertThat(text(rest)).as("nothing was forgotten yet").startsWith("resumed");
          flaky.apply(rest);
        }
        away = !away;
      }
      if (!away) {
        assertThat(flaky.rows).isEqualTo(steady.rows);
        assertThat(flaky.id).isEqualTo(steady.id);
      }
    }
  }

  @Test
  void first_afterTooManyMessages_isTheWholeRange() {
    Play play = new Play(Ties.EARLIEST_FIRST);
    Feed feed = new Feed(new Range.Top(3), new Lines());
    play.look(feed);
    Client early = new Client();
    early.apply(feed.first(null));
    for (int i = 1; i <= 300; i++) {
      play.put(1, i);
      play.look(feed);
    }
    byte[] rest = feed.first(early.id);
    assertThat(text(rest)).startsWith("snapshot");
    early.apply(rest);
    assertThat(early.rows).isEqualTo(play.expected(new Range.Top(3)));
  }

  @Test
  void take_anotherEpoch_givesUpTheOldIds() {
    Play play = new Play(Ties.EARLIEST_FIRST);
    Feed feed = new Feed(new Range.Top(3), new Lines());
    play.look(feed);
    Client client = new Client();
    client.apply(feed.first(null));
    play.put(1, 5);
    Feed.Look look = feed.look(play.view(), play.season);
    assertThat(text(feed.take(play.board, play.season, look, EPOCH + 1))).startsWith("snapshot");
    assertThat(text(feed.first(client.id))).startsWith("snapshot");
  }

  @Test
  void take_userWhoIsCalledSomethingElse_isTheWholeRangeUnderAnotherId() {
    Play play = new Play(Ties.EARLIEST_FIRST);
    play.put(1, 10);
    play.put(2, 9);
    Lines lines = new Lines();
    Feed feed = new Feed(new Range.Top(3), lines);
    play.look(feed);
    Client client = new Client();
    client.apply(feed.first(null));
    String first = client.id;
    play.put(2, 11);
    client.apply(Objects.requireNonNull(play.look(feed)));
    String before = client.id;
    play.users.rename(1, "erased-1");
    lines.version++;
    assertThat(feed.isNamedAsNow(play.board)).isFalse();
    byte[] message = play.look(feed);
    assertThat(text(message)).startsWith("snapshot").contains("erased-1").doesNotContain("u0");
    assertThat(feed.isNamedAsNow(play.board)).isTrue();
    client.apply(Objects.requireNonNull(message));
    assertThat(client.rows).isEqualTo(play.expected(new Range.Top(3)));
    assertThat(client.id).isNotEqualTo(before);
    // What was sent before is forgotten with the name.
    assertThat(text(feed.first(first))).startsWith("snapshot").doesNotContain("u0");
    assertThat(text(feed.first(before))).contains("snapshot").doesNotContain("u0");
  }

  @Test
  void take_userWhoIsNotShown_isTheSameAsNobody() {
    Play play = new Play(Ties.EARLIEST_FIRST);
    play.put(1, 10);
    play.put(2, 9);
    Lines lines = new Lines();
    lines.hidden = 1;
    Feed hidden = new Feed(new Range.Around("u0", 2), lines);
    Feed nobody = new Feed(new Range.Around("u39", 2), new Lines());
    play.look(hidden);
    play.look(nobody);
    Client one = new Client();
    one.apply(hidden.first(null));
    Client other = new Client();
    other.apply(nobody.first(null));
    assertThat(one.rows).isEqualTo(other.rows).isEmpty();
    play.put(1, 3);
    assertThat(play.look(hidden)).isNull();
    assertThat(play.look(nobody)).isNull();
  }

  @Test
  void between_deltas_sayWhatEachGained() {
    Play play = new Play(Ties.EARLIEST_FIRST);
    play.put(1, 10);
    play.put(2, 9);
    play.put(3, 8);
    Range range = new Range.Top(2);
    Picture before = Picture.of(play.view(), range);
    play.put(3, 20); // comes in; 1 only moves; 2 falls out
    Picture after = Picture.of(play.view(), range);
    assertThat(Update.between(before, after, play.snapshot))
        .containsExactly(
            new Update(2, 0L, 9L, 2L, 0, 0),
            new Update(3, 12L, 20L, 4L, 1, 1),
            new Update(1, 0L, 10L, 1L, 2, 2));
    play.remove(3);
    assertThat(Update.between(after, Picture.of(play.view(), range), play.snapshot))
        .containsExactly(
            new Update(3, null, null, null, 0, 0),
            new Update(1, 0L, 10L, 1L, 1, 1),
            new Update(2, 0L, 9L, 2L, 2, 2));
  }

  @Test
  void tag_usersOfTheSameHash_areDifferent() {
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    assertThat(new Range.Around("Aa", 1).tag()).isNotEqualTo(new Range.Around("BB", 1).tag());
  }

  private static String text(byte @Nullable [] message) {
    return message == null ? "" : new String(message, StandardCharsets.UTF_8);
  }

  /** A board that changes. */
  private static final class Play {
    final UserDictionary users = new UserDictionary();
    final Board board;
    Season season = season(1);
    RankSnapshot snapshot;
    long line;

    Play(Ties ties) {
      for (int i = 1; i <= USERS; i++) {
        users.append(i, "u" + (i - 1));
      }
      Rules rules =
          new Rules(
              Order.HIGHEST_FIRST,
              ties,
              dev.laurel.core.model.Update.LATEST,
              0,
              new Bounds(0, Long.MAX_VALUE));
      BoardVersion version =
          new BoardVersion(
              1,
              BoardStatus.ACTIVE,
              "play",
              null,
              rules,
              Visibility.PUBLIC,
              Board.NO_START,
              Board.NO_END,
              "{}",
              List.of(),
              null,
              null,
              0);
      this.board = new Board(0, 1, 1, "id", "play", 0, 0, "test", 0, version, List.of());
      this.snapshot = RankSnapshot.empty(Order.HIGHEST_FIRST, ties, users);
    }

    private static Season season(long id) {
      return new Season(
          id, 1, 0, "s" + id, Board.NO_START, Board.NO_END, 0, 0, SeasonStatus.ACTIVE, false);
    }

    void nextSeason() {
      season = season(season.id() + 1);
      snapshot = RankSnapshot.empty(board.order(), board.ties(), users);
    }

    /** Few different scores, so that many are equal. */
    void change(Random random, int changes) {
      RankSnapshot.Editor editor = snapshot.edit();
      for (int i = 0; i < changes; i++) {
        int user = 1 + random.nextInt(USERS);
        if (random.nextInt(5) == 0) {
          editor.remove(user);
        } else {
          editor.put(user, random.nextInt(12), random.nextInt(4), false);
        }
      }
      snapshot = editor.build(++line);
    }

    void put(int user, long score) {
      RankSnapshot.Editor editor = snapshot.edit();
      editor.put(user, score, ++line, false);
      snapshot = editor.build(line);
    }

    void remove(int user) {
      RankSnapshot.Editor editor = snapshot.edit();
      editor.remove(user);
      snapshot = editor.build(++line);
    }

    Rankings.View view() {
      return new Rankings.View(snapshot, users);
    }

    byte @Nullable [] look(Feed feed) {
      return feed.take(board, season, feed.look(view(), season), EPOCH);
    }

    /** From all rows, without a picture. */
    List<String> expected(Range range) {
      List<String> all = new ArrayList<>();
      List<String> ids = new ArrayList<>();
      snapshot.page(
          0,
          USERS,
          (rank, user, score, reached) -> {
            all.add(users.id(user) + " " + rank + " " + score);
            ids.add(users.id(user));
          });
      return switch (range) {
        case Range.Top(int count) -> all.subList(0, Math.min(count, all.size()));
        case Range.Around(String userId, int window) -> {
          int self = ids.indexOf(userId);
          yield self < 0
              ? List.of()
              : all.subList(Math.max(0, self - window), Math.min(all.size(), self + window + 1));
        }
      };
    }
  }

  /** A client that knows nothing but docs/live.md. */
  private static final class Client {
    List<String> rows = new ArrayList<>();
    int from;
    int limit;
    String id = "";

    void apply(byte[] message) {
      List<String[]> updates = new ArrayList<>();
      for (String line : text(message).split("\n")) {
        String[] parts = line.split("\\|", -1);
        switch (parts[0]) {
          case "snapshot" -> {
            id = parts[1];
            from = Integer.parseInt(parts[2]);
            rows =
                parts[3].isEmpty()
                    ? new ArrayList<>()
                    : new ArrayList<>(List.of(parts[3].split(",")));
            limit = Integer.parseInt(parts[4]);
          }
          case "update" -> {
            updates.add(parts);
            if (!parts[1].isEmpty()) {
              id = parts[1];
              update(updates);
              updates.clear();
            }
          }
          case "season", "resumed" -> {}
          default -> throw new AssertionError(line);
        }
      }
      assertThat(updates).as("updates without an id at their end").isEmpty();
    }

    private void update(List<String[]> updates) {
      for (String[] update : updates) {
        rows.removeIf(row -> row.startsWith(update[2] + " "));
      }
      for (String[] update : updates) {
        int position = Integer.parseInt(update[5]);
        if (position > 0) {
          rows.add(position - from, update[2] + " " + update[4] + " " + update[3]);
        }
      }
      while (rows.size() > limit) {
        rows.removeLast();
      }
    }
  }

  private static final class Lines implements Encoding {
    long version;
    int hidden;

    @Override
    public Names.Name name(Board board, UserDictionary users, int user, long rank) {
      return new Names.Name(users.id(user), null);
    }

    @Override
    public boolean hides(Board board, Picture picture) {
      return hidden != 0;
    }

    @Override
    public long namesVersion(Board board) {
      return version;
    }

    @Override
    public String tag() {
      return "";
    }

    @Override
    public byte[] snapshot(Board board, Season season, Picture picture, Names names, String id) {
      List<String> rows = new ArrayList<>();
      for (Ranking.Row row : picture.rows()) {
        rows.add(names.of(row.user()).id() + " " + row.rank() + " " + row.score());
      }
      return bytes(
          "snapshot|%s|%d|%s|%d\n"
              .formatted(id, picture.from() + 1, String.join(",", rows), USERS));
    }

    @Override
    public byte[] updates(
        Board board, Season season, Picture picture, Names names, List<Update> updates, String id) {
      StringBuilder out = new StringBuilder();
      for (Update update : updates) {
        out.append(
            "update|%s|%s|%s|%d|%d\n"
                .formatted(
                    update.equals(updates.getLast()) ? id : "",
                    names.of(update.user()).id(),
                    update.score(),
                    update.rank(),
                    update.position()));
      }
      return bytes(out.toString());
    }

    @Override
    public byte @Nullable [] info(
        Board board, Season season, Picture picture, @Nullable String id) {
      return null; // clients compare rows
    }

    @Override
    public byte[] season(Board board, Season old, Season now) {
      return bytes("season|" + old.id() + "|" + now.id() + "\n");
    }

    @Override
    public byte[] resumed(Board board) {
      return bytes("resumed\n");
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
