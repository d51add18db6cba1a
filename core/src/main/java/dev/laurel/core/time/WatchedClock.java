package dev.laurel.core.time;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clock that decides, held against the time that has passed. That clock is this machine's own,
 * or, with a store that nodes share, the store's. When it jumps, nobody can tell from one clock
 * alone whether it was set right, set wrong, or whether the machine slept. Then the time is in
 * doubt: it is the one of before or the one that the clock claims, and both go on ({@link Moment}).
 *
 * <p>A doubt ends when the clock comes back; when another clock that did not jump agrees, this
 * node's or that of a node which has watched all along; when an operator says so; or when the clock
 * has stayed for a while and no such clock contradicts. Thread-safe.
 */
public final class WatchedClock implements MomentSource, TimeJudge {
  /** So old is what a jump is measured from, at most: no clock creeps away unseen. */
  private static final long OLDEST_BASE = TimeUnit.SECONDS.toNanos(60);

  /** An answer that took longer does not say well enough when the clock was read. */
  private static final long PROMPT = TimeUnit.SECONDS.toNanos(1);

  /** What another node has said is of now if its clock said about the same as this one does. */
  private static final long RECENT = 60_000;

  /** Between what people read off a watch and when it arrives. */
  private static final long NEAR = 60_000;

  private final TimeSource source;
  private final @Nullable OwnClock own;
  private final long confirmNanos;
  private final ClockObserver observer;
  private volatile long since;
  private volatile State state;
  private volatile long confirmed;

  /**
   * @param read whether the clock was ever read: the first time says nothing of a jump
   * @param base what a jump is measured from
   * @param last what was read last
   * @param from when a doubt last began or ended: what was read before tells nothing of it
   */
  private record State(boolean read, Line base, Line last, @Nullable Doubt doubt, long from) {
    Moment at(long now) {
      return doubt == null ? Moment.of(last.at(now)) : doubt.at(now);
    }
  }

  /**
   * What nobody knows yet.
   *
   * @param trusted the clock as it went until it jumped
   * @param claimed the clock as it goes since
   * @param objected whether another clock, which has not jumped, contradicts
   * @param witnesses which other nodes can tell
   */
  private record Doubt(Line trusted, Line claimed, boolean objected, Witnesses witnesses) {
    Doubt(Line trusted, Line claimed, boolean objected) {
      this(trusted, claimed, objected, new Witnesses());
    }

    Doubt withObjection() {
      return new Doubt(trusted, claimed, true, witnesses);
    }

    Moment at(long now) {
      return Moment.either(trusted.at(now), claimed.at(now));
    }

    long jump() {
      return claimed.millis() - trusted.at(claimed.nanos());
    }
  }

  /**
   * For people.
   *
   * @param trusted what time it is if the clock was right before
   * @param claimed what time it is if it is right now
   * @param sinceMillis how long ago it jumped
   * @param confirmsInMillis when it is believed by itself; -1 if never
   * @param objected whether another clock contradicts
   */
  public record InDoubt(
      long trusted, long claimed, long sinceMillis, long confirmsInMillis, boolean objected) {}

  /**
   * @param shared whether the store's clock decides, which is handed in by {@link #judge}, and not
   *     the source's own
   * @param confirmMillis how long a clock has to stay where it jumped to; Long.MAX_VALUE for ever
   */
  public WatchedClock(
      TimeSource source, boolean shared, long confirmMillis, ClockObserver observer) {
    this.source = source;
    this.own = shared ? new OwnClock(source) : null;
    this.confirmNanos =
        confirmMillis == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : TimeUnit.MILLISECONDS.toNanos(confirmMillis);
    this.observer = observer;
    Line first = new Line(source.millis(), source.nanos());
    this.state = new State(!shared, first, first, null, first.nanos());
    this.since = first.millis();
  }

  @Override
  public Moment moment() {
    if (own == null) {
      long asked = source.nanos();
      long read = source.millis();
      return isPlain(read, asked, asked) ? Moment.of(read) : look(read, asked, source.nanos());
    }
    // Without asking the store: as it was when somebody last did.
    return state.at(source.nanos());
  }

  @Override
  public long asking() {
    return source.nanos();
  }

  @Override
  public Moment judge(long read, long asked) {
    long now = source.nanos();
    return own == null && isPlain(read, asked, now) ? Moment.of(read) : look(read, asked, now);
  }

  /** Nearly always, and without a lock. */
  private boolean isPlain(long read, long asked, long now) {
    State known = state;
    return known.doubt == null
        && now - known.base.nanos() < OLDEST_BASE
        && known.base.fits(read, asked, now);
  }

  private synchronized Moment look(long read, long asked, long now) {
    State before = state;
    Doubt doubt = before.doubt;
    Line line = new Line(read, now);
    boolean prompt = now - asked <= PROMPT;
    if (asked < before.from) {
      return before.at(now); // of a clock that has jumped or come back since
    }
    if (doubt == null && (!before.read || before.base.fits(read, asked, now))) {
      if (!before.read) {
        since = read;
        state = new State(prompt, line, line, null, before.from);
        compareOwn(line);
      } else if (prompt) {
        boolean old = now - before.base.nanos() >= OLDEST_BASE;
        state = new State(true, old ? line : before.base, line, null, before.from);
        compareOwn(line);
      }
      return Moment.of(read);
    }
    if (doubt == null) {
      doubt = begin(new Doubt(before.last, line, false));
    } else if (doubt.trusted.fits(read, asked, now)) {
      return settle(line, ClockObserver.Settled.RETURNED, doubt);
    } else if (!doubt.claimed.fits(read, asked, now)) {
      doubt = begin(new Doubt(doubt.trusted, line, doubt.objected));
    }
    OwnClock.Opinion opinion = own == null ? OwnClock.Opinion.NONE : own.opinion(read, now);
    if (opinion == OwnClock.Opinion.AGREES) {
      return settle(line, ClockObserver.Settled.OWN_CLOCK, doubt);
    }
    if (opinion == OwnClock.Opinion.OBJECTS && !doubt.objected) {
      doubt = keep(doubt.withObjection());
    }
    if (!doubt.objected && now - doubt.claimed.nanos() >= confirmNanos) {
      return settle(line, ClockObserver.Settled.STAYED, doubt);
    }
    return doubt.at(now);
  }

  private Doubt begin(Doubt doubt) {
    observer.jumped(doubt.jump());
    State now = state;
    state = new State(now.read, now.base, now.last, doubt, doubt.claimed.nanos());
    return doubt;
  }

  private Doubt keep(Doubt doubt) {
    State now = state;
    state = new State(now.read, now.base, now.last, doubt, now.from);
    return doubt;
  }

  private Moment settle(Line line, ClockObserver.Settled how, Doubt doubt) {
    state = new State(true, line, line, null, line.nanos());
    compareOwn(line);
    observer.settled(how, doubt.jump());
    return Moment.of(line.millis());
  }

  private void compareOwn(Line line) {
    if (own != null) {
      own.compare(line.millis(), line.nanos());
    }
  }

  /**
   * An operator says that the clock is right and shows this time. So nobody confirms a clock that
   * has jumped again meanwhile: then nothing changes, and the answer is what it claims. Null if it
   * is believed, also if nobody has doubted it.
   */
  public synchronized @Nullable Long confirm(long said) {
    Doubt doubt = state.doubt;
    if (doubt == null) {
      return null;
    }
    long claimed = doubt.claimed.at(source.nanos());
    if (Math.abs(said - claimed) > NEAR) {
      return claimed;
    }
    accept(doubt, ClockObserver.Settled.OPERATOR);
    confirmed = state.last.millis();
    return null;
  }

  private void accept(Doubt doubt, ClockObserver.Settled how) {
    long now = source.nanos();
    settle(new Line(doubt.claimed.at(now), now), how, doubt);
  }

  /** Null if the time is known. */
  public @Nullable InDoubt inDoubt() {
    Doubt doubt = state.doubt;
    if (doubt == null) {
      return null;
    }
    long now = source.nanos();
    long stayed = now - doubt.claimed.nanos();
    boolean never = doubt.objected || confirmNanos == Long.MAX_VALUE;
    return new InDoubt(
        doubt.trusted.at(now),
        doubt.claimed.at(now),
        TimeUnit.NANOSECONDS.toMillis(stayed),
        never ? -1 : TimeUnit.NANOSECONDS.toMillis(Math.max(0, confirmNanos - stayed)),
        doubt.objected);
  }

  /** How far this node's own clock is ahead of the one that decides; 0 if it is that one. */
  public long offsetMillis() {
    return own == null ? 0 : own.offset();
  }

  // --- other nodes, and the process before

  /**
   * What this node makes of the clock.
   *
   * @param number the view's, taken before the clock was read for it
   */
  public synchronized ClockView view(long node, long number) {
    State now = state;
    long nanos = source.nanos();
    Doubt doubt = now.doubt;
    if (doubt == null) {
      long known = now.last.at(nanos);
      return new ClockView(node, number, Math.min(since, known), known, known, false, confirmed);
    }
    return new ClockView(
        node,
        number,
        since,
        doubt.claimed.at(nanos),
        doubt.trusted.at(nanos),
        doubt.objected,
        confirmed);
  }

  /**
   * What nodes make of it, while this one is in doubt.
   *
   * @param node this one
   */
  public synchronized void hear(long node, List<ClockView> all) {
    Doubt doubt = state.doubt;
    if (doubt == null) {
      return;
    }
    long claimed = doubt.claimed.at(source.nanos());
    long jumpedAt = Math.min(doubt.trusted.at(doubt.claimed.nanos()), doubt.claimed.millis());
    List<ClockView> others =
        doubt.witnesses.sinceTheJump(all).stream()
            // Else of another time, or of a node that is not there any more.
            .filter(o -> o.node() != node && Math.abs(o.claimed() - claimed) <= RECENT)
            .toList();
    if (others.stream().anyMatch(doubt.witnesses::wasConfirmed)) {
      accept(doubt, ClockObserver.Settled.OPERATOR);
    } else if (others.stream().anyMatch(o -> o.isKnown() && o.since() < jumpedAt)) {
      accept(doubt, ClockObserver.Settled.OTHER_NODE);
    } else if (!doubt.objected && others.stream().anyMatch(ClockView::objects)) {
      keep(doubt.withObjection());
    }
  }

  /**
   * At the start: a doubt that others are in, or that the process before was in. A restart does not
   * make a wrong clock right. What was written after a doubt, by a node that has none, ends it.
   */
  public synchronized void takeOver(List<ClockView> others) {
    long nanos = source.nanos();
    long read = moment().latest();
    if (state.doubt != null) {
      return;
    }
    long known =
        others.stream().filter(ClockView::isKnown).mapToLong(ClockView::number).max().orElse(-1);
    for (ClockView other : others) {
      long jump = other.claimed() - other.trusted();
      boolean cameBack = Math.abs(read - other.trusted()) < Math.abs(read - other.claimed());
      boolean wentOn = read >= other.claimed() - RECENT;
      if (!other.isKnown() && other.number() >= known && wentOn && !cameBack) {
        Line claimed = new Line(read, nanos);
        begin(new Doubt(new Line(read - jump, nanos), claimed, other.objects()));
        return;
      }
    }
  }
}
