package dev.laurel.server.demo;

import dev.laurel.core.board.Boards;
import dev.laurel.core.lifecycle.JobThread;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.store.Tenant;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Public boards of the default tenant with players who go on playing, all by the ordinary ways in.
 * A board that is there is not filled again, so a restart goes on where it was; whoever pauses or
 * completes one has it left alone.
 */
public final class Demo implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);

  /** Nobody's API key. */
  private static final long CALLER = 0;

  /** Over how much of the past the first results are spread. */
  private static final Duration PAST = Duration.ofDays(5);

  private static final int ROUNDS = 3;
  private static final int LONGEST_PAUSE_MILLIS = 500;

  private final Boards boards;
  private final ScorePipeline pipeline;
  private final InstantSource clock;
  private final DemoPlayers players = new DemoPlayers();
  private final Random random = new Random();
  private final JobThread thread;

  /** Makes and fills what is not there, and starts to play. */
  public Demo(Boards boards, ScorePipeline pipeline, InstantSource clock) {
    this.boards = boards;
    this.pipeline = pipeline;
    this.clock = clock;
    for (DemoBoard board : DemoBoard.ALL) {
      if (boards.find(Tenant.DEFAULT, board.uuid()) == null) {
        boards.create(Tenant.DEFAULT, "demo", board.definition(), null, _ -> new byte[0]);
        fill(board);
      }
    }
    this.thread =
        new JobThread(
            "laurel-demo",
            () -> random.nextInt(LONGEST_PAUSE_MILLIS),
            _ -> play(),
            e -> LOG.warn("demo", e));
  }

  /** What to look at, as the path of a board. */
  public static List<String> boards() {
    return DemoBoard.ALL.stream().map(DemoBoard::uuid).toList();
  }

  private void fill(DemoBoard demo) {
    Board board = boards.require(Tenant.DEFAULT, demo.uuid());
    long now = clock.millis();
    List<Command> results = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (int player = 0; player < DemoPlayers.COUNT; player++) {
        // The last one a moment ago: so that today's and this hour's boards are not empty.
        long ago = round == ROUNDS - 1 ? 0 : random.nextLong(PAST.toMillis());
        results.add(result(demo, player, now - ago));
      }
    }
    pipeline.submit(new Request(board, results, CALLER, false, null)).join();
  }

  private Command result(DemoBoard demo, int player, long at) {
    String value = demo.results().next(players.skill(player), random);
    return new Command.Score(players.id(player), value, null, at, null, null);
  }

  private void play() {
    DemoBoard demo = DemoBoard.ALL.get(random.nextInt(DemoBoard.ALL.size()));
    Board board = boards.find(Tenant.DEFAULT, demo.uuid());
    if (board != null && board.status() == BoardStatus.ACTIVE) {
      Command next = result(demo, players.someone(random), clock.millis());
      // Refused, or lost with the store: the next one comes, a demo has nothing to lose.
      pipeline
          .submit(new Request(board, List.of(next), CALLER, false, null))
          .handle((_, _) -> true)
          .join();
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
