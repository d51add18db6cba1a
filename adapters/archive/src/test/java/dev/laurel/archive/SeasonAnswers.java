package dev.laurel.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Neighbours;
import dev.laurel.core.query.Prizes;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.ScoreMetadata;
import dev.laurel.core.rank.Ranking;
import dev.laurel.testkit.Harness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Everything that can be asked of a season, as it was answered. */
record SeasonAnswers(
    long size,
    List<String> top,
    Map<String, String> around,
    Map<String, ScoreMetadata.Found> metadata,
    List<Long> counts,
    Prizes prizes) {
  /**
   * Asks.
   *
   * @param random chooses what is asked
   * @param source gets where the answers come from
   */
  static SeasonAnswers of(
      Harness harness,
      Board board,
      Season season,
      Random random,
      Consumer<Rankings.Source> source) {
    List<String> top = new ArrayList<>();
    List<Ranking.Row> rows = new ArrayList<>();
    Map<String, String> around = new TreeMap<>();
    List<Long> counts = new ArrayList<>();
    Rankings.Answer<Long> size =
        harness.rankings.answer(
            board,
            season,
            List.of(),
            view -> {
              view.ranking()
                  .page(
                      0,
                      Integer.MAX_VALUE,
                      (rank, user, score, reached) -> {
                        rows.add(new Ranking.Row(rank, user, score, reached, false));
                        top.add(rank + " " + view.users().id(user) + " " + score + " " + reached);
                      });
              for (int i = 0; i < 40 && !rows.isEmpty(); i++) {
                Ranking.Row row = rows.get(random.nextInt(rows.size()));
                Neighbours near = Neighbours.of(view.ranking(), row.user(), 1 + random.nextInt(5));
                around.put(view.users().id(row.user()), String.valueOf(near));
                counts.add(view.ranking().position(row.user()));
                counts.add(view.ranking().better(row.score()));
                counts.add(view.ranking().countUpTo(row.score(), row.reached(), row.user()));
                counts.add(view.ranking().countUpTo(row.score() + 1, row.reached(), row.user()));
                List<String> page = new ArrayList<>();
                view.ranking()
                    .page(
                        random.nextInt(rows.size() + 5), 7, (r, u, s, t) -> page.add(r + "." + u));
                around.put("page " + i, page.toString());
              }
              // Also those who have no place.
              for (int user = 1; user <= view.users().size(); user += 1 + random.nextInt(50)) {
                around.put("row " + user, String.valueOf(view.ranking().row(user)));
              }
              assertThat(view.ranking().row(view.users().find("nobody"))).isNull();
              return view.ranking().size();
            });
    Map<String, ScoreMetadata.Found> metadata = new TreeMap<>();
    for (Ranking.Row row : rows.subList(0, Math.min(30, rows.size()))) {
      metadata.put(String.valueOf(row.user()), harness.rankings.metadata(board, season, row));
    }
    source.accept(size.source());
    return new SeasonAnswers(
        size.value(), top, around, metadata, counts, harness.rankings.prizes(board, season));
  }
}
