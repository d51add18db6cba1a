package dev.laurel.core.review;

import dev.laurel.core.guard.History;
import dev.laurel.core.guard.Trial;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Store;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Guards of boards, and the queue of what they caught. Blocking. Thread-safe. */
public final class Reviews {
  private final Store store;
  private final Users users;
  private final ScorePipeline pipeline;
  private final LongWork work;
  private final InstantSource clock;

  public Reviews(
      Store store, Users users, ScorePipeline pipeline, LongWork work, InstantSource clock) {
    this.work = work;
    this.store = store;
    this.users = users;
    this.pipeline = pipeline;
    this.clock = clock;
  }

  public List<GuardRule> rules(Board board) {
    return store.read(tx -> tx.guards().getOrDefault(board.id(), List.of()));
  }

  /** Takes effect on every node with its next commit; no rule is no guard. */
  public OnceOnly.Answer put(
      Board board, List<GuardRule> rules, OnceOnly.@Nullable Key key, byte[] answer) {
    check(rules);
    return OnceOnly.run(
        store,
        key,
        clock.millis(),
        tx -> {
          tx.lockShard(board.shard());
          tx.putGuard(board.id(), rules);
          return answer;
        });
  }

  private static void check(List<GuardRule> rules) {
    Set<String> seen = new HashSet<>();
    for (GuardRule rule : rules) {
      if (rule.kind() == GuardRule.Kind.REPORTED) {
        throw Rejection.invalid("rule", rule.kind(), "one that a guard measures").asException();
      }
      boolean counted =
          rule.kind() == GuardRule.Kind.PER_MINUTE || rule.kind() == GuardRule.Kind.PER_HOUR;
      if (!(rule.threshold() >= 0) || (counted && rule.threshold() >= History.LENGTH)) {
        throw Rejection.invalid(
                "threshold",
                rule.threshold(),
                counted ? "0.." + (History.LENGTH - 1) : "a number from 0 on")
            .asException();
      }
      if (!seen.add(rule.kind() + " " + rule.action())) {
        throw Rejection.invalid("rules", rule.kind(), "each rule once for each outcome")
            .asException();
      }
    }
  }

  /** What was caught, with whose it is. */
  public record Caught(Anomaly anomaly, String userId) {}

  public List<Caught> list(Board board, Anomaly.@Nullable State state, long before, int limit) {
    return store.read(
        tx -> {
          UserDictionary ids = users.follow(tx, board.tenant());
          return tx.anomalies(board.id(), state, before, limit).stream()
              .map(anomaly -> new Caught(anomaly, ids.id(anomaly.user())))
              .toList();
        });
  }

  /**
   * Puts a submission into the queue, or what is said of one that is there already.
   *
   * @param report a JSON object
   * @param answer makes the answer of what is in the queue now
   */
  public OnceOnly.Answer report(
      Board board,
      Selection which,
      String report,
      OnceOnly.@Nullable Key key,
      Function<Caught, byte[]> answer) {
    List<LedgerLine> found = which.find(store, board);
    if (found.isEmpty()) {
      throw Rejection.expectation(
              ErrorCode.LINE_NOT_FOUND,
              "userId",
              "no submission",
              "a user with a submission on board " + board.uuid())
          .asException();
    }
    LedgerLine line = found.getLast();
    if (!line.kind().isSubmission()) {
      throw Rejection.expectation(
              ErrorCode.LINE_NOT_REVERTIBLE, "line", line.line(), "a submission")
          .asException();
    }
    return OnceOnly.run(
        store,
        key,
        clock.millis(),
        tx -> {
          // So that nobody decides about it meanwhile.
          tx.lockShard(board.shard());
          Anomaly before = tx.anomaly(board.id(), line.line());
          if (before != null && before.isDecided()) {
            throw Rejection.expectation(
                    ErrorCode.ANOMALY_DECIDED,
                    "line",
                    line.line() + " " + before.state(),
                    "one that nobody has decided about")
                .asException();
          }
          tx.report(
              new Anomaly(
                  board.id(),
                  line.line(),
                  line.user(),
                  GuardRule.Kind.REPORTED,
                  0,
                  0,
                  GuardRule.Action.FLAG,
                  Anomaly.State.OPEN,
                  clock.millis(),
                  0,
                  0,
                  report));
          Anomaly now = Objects.requireNonNull(tx.anomaly(board.id(), line.line()));
          return answer.apply(new Caught(now, users.follow(tx, board.tenant()).id(now.user())));
        });
  }

  /** A user's number, 0 for somebody unknown. */
  public int user(Board board, String userId) {
    return users.followNow(board.tenant()).find(userId);
  }

  /**
   * Lets a line count, or reverts it. The same decision again changes nothing.
   *
   * @return what the key's first use was answered; null if this is it, or there is no key
   */
  public byte @Nullable [] decide(
      Board board,
      long line,
      boolean approved,
      long caller,
      String note,
      Request.@Nullable Idempotency key) {
    Anomaly anomaly = store.read(tx -> tx.anomaly(board.id(), line));
    if (anomaly == null) {
      throw Rejection.expectation(
              ErrorCode.ANOMALY_NOT_FOUND, "line", line, "one that was caught on " + board.uuid())
          .asException();
    }
    Anomaly.State state = approved ? Anomaly.State.APPROVED : Anomaly.State.REJECTED;
    if (anomaly.isDecided() && anomaly.state() != state) {
      throw Rejection.expectation(
              ErrorCode.ANOMALY_DECIDED, "line", line + " " + anomaly.state(), "one that is open")
          .asException();
    }
    Command command =
        new Command.Correct(
            users.followNow(board.tenant()).id(anomaly.user()),
            approved ? Command.Correction.RELEASE : Command.Correction.REVERT,
            List.of(line),
            note);
    return switch (pipeline
        .submit(new Request(board, List.of(command), caller, false, key))
        .join()) {
      case Reply.Refused(var rejection) -> throw rejection.asException();
      case Reply.Replayed(var answer) -> answer;
      case Reply.Done(var outcomes, _) -> {
        if (outcomes.getFirst() instanceof Outcome.Rejected(var rejection)) {
          throw rejection.asException();
        }
        yield null;
      }
    };
  }

  /** What rules would have caught of the board's lines whose own time is in [from, to). */
  public Trial attempt(Board board, List<GuardRule> rules, long from, long to) {
    check(rules);
    return work.run(
        board.tenant(),
        () -> {
          Trial trial = new Trial(store, board, rules);
          Selection.each(
              store, board, line -> trial.add(line, line.at() >= from && line.at() < to));
          return trial;
        });
  }

  /** What a user is called. */
  public UserDictionary users(Board board) {
    return users.all(board.tenant());
  }
}
