package dev.laurel.server.api;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.RulesDefinition;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.Feed;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Rules;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Scoring;
import dev.laurel.core.model.Strategy;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import dev.laurel.core.scoring.Features;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A configuration in JSON, with what Laurel adds. */
final class ConfigFields {
  /** The window that a recurringConfig becomes, and the one without it. */
  private static final String RECURRING = "recurring";

  private static final String SINGLE = "single";
  private static final int MAX_QPS = 10_000_000;

  private ConfigFields() {}

  /** A new configuration. The scoring in it is not checked yet. */
  static BoardDefinition definition(Fields fields) {
    Scoring scoring = scoring(fields);
    RulesDefinition rules =
        BoardRoutes.rules(fields, fields.choice("rankingOrder", Order.class))
            .orElse(Ties.SHARED, null, null, null);
    Long start = ScoreFields.time(fields, "startTime");
    if (start == null) {
      throw fields.wrong("startTime", null, "the start of the first season");
    }
    String id = UUID.randomUUID().toString();
    BoardDefinition definition =
        new BoardDefinition(
            id,
            null,
            fields.string("name"),
            rules,
            fields.optionalChoice("visibility", Visibility.class),
            BoardStatus.DRAFT,
            start,
            ScoreFields.time(fields, "endTime"),
            fields.optionalRawObject("metadata", BoardDefinition.MAX_METADATA_LENGTH),
            windows(fields),
            scoring,
            new Feed(fields.string("topicName"), fields.requiredInteger("writeQPS", 1, MAX_QPS)));
    fields.done();
    return definition;
  }

  /** A new version of one that exists: what is absent stays. */
  static BoardChange change(Fields fields, Board board) {
    Scoring old = board.scoring();
    boolean scores = fields.has("featureConfig") || fields.has("scoringStrategy");
    Scoring scoring = scores ? scoring(fields, old) : null;
    Long start = ScoreFields.time(fields, "startTime");
    Long end = ScoreFields.time(fields, "endTime");
    boolean windows = fields.has("windows") || fields.has("recurringConfig");
    Feed feed = board.current().feed();
    String topic = fields.optionalString("topicName");
    boolean feeds = topic != null || fields.has("writeQPS");
    if (feeds && feed == null && (topic == null || !fields.has("writeQPS"))) {
      throw fields.wrong("topicName", topic, "given together with writeQPS");
    }
    BoardChange change =
        new BoardChange(
            null,
            fields.optionalString("name"),
            start,
            fields.isNull("endTime") ? Long.valueOf(Board.NO_END) : end,
            fields.optionalChoice("visibility", Visibility.class),
            fields.optionalRawObject("metadata", BoardDefinition.MAX_METADATA_LENGTH),
            windows || fields.isNull("recurringConfig") ? windows(fields) : null,
            scoring,
            feeds
                ? new Feed(
                    topic == null && feed != null ? feed.topicName() : String.valueOf(topic),
                    fields.integer("writeQPS", feed == null ? 1 : feed.writeQps(), 1, MAX_QPS))
                : null);
    requireSame(fields, board.current().rules());
    fields.done();
    return change;
  }

  /** What entries were made under may be repeated, but not changed. */
  private static void requireSame(Fields fields, Rules rules) {
    same("rankingOrder", fields.optionalChoice("rankingOrder", Order.class), rules.order());
    same("ties", fields.optionalChoice("ties", Ties.class), rules.ties());
    same("update", fields.optionalChoice("update", Update.class), rules.update());
    if (fields.has("decimals")) {
      same("decimals", fields.integer("decimals", 0, 0, 9), rules.decimals());
    }
  }

  private static void same(String name, @Nullable Object asked, Object is) {
    if (asked != null && !asked.equals(is)) {
      throw Rejection.expectation(
              ErrorCode.IMMUTABLE_FIELD, name, asked, is + "; entries were made under it")
          .asException();
    }
  }

  private static List<WindowDefinition> windows(Fields fields) {
    List<WindowDefinition> windows = WindowFields.read(fields, "windows");
    Fields recurring = fields.optionalObject("recurringConfig");
    if (windows != null && recurring != null) {
      throw fields.wrong("windows", "given with recurringConfig", "only one of them");
    }
    if (windows != null) {
      return windows;
    }
    if (recurring == null) {
      return List.of(
          new WindowDefinition(SINGLE, new Schedule.AllTime(), null, null, null, null, List.of()));
    }
    WindowDefinition window =
        new WindowDefinition(
            RECURRING,
            new Schedule.Cron(
                recurring.string("cronExpression"), WindowFields.duration(recurring, "duration")),
            recurring.optionalString("timeZone"),
            ScoreFields.time(recurring, "recurringEndTime"),
            WindowFields.duration(recurring, "grace"),
            null,
            List.of());
    recurring.done();
    return List.of(window);
  }

  private static Scoring scoring(Fields fields) {
    return scoring(fields, null);
  }

  private static Scoring scoring(Fields fields, @Nullable Scoring old) {
    Fields config =
        old == null ? fields.object("featureConfig") : fields.optionalObject("featureConfig");
    List<Feature> features = new ArrayList<>();
    if (config != null) {
      for (Fields feature : config.objects("features", 0, Features.MAX_FEATURES)) {
        features.add(
            new Feature(
                feature.string("name"),
                feature.choice("dataType", FeatureType.class),
                feature.bool("required", false)));
        feature.done();
      }
      config.done();
    } else if (old != null) {
      features.addAll(old.features());
    }
    Fields strategy =
        old == null ? fields.object("scoringStrategy") : fields.optionalObject("scoringStrategy");
    return new Scoring(
        List.copyOf(features),
        strategy != null ? strategy(strategy, features) : old == null ? none() : old.strategy());
  }

  private static Strategy none() {
    return new Strategy.Direct(null);
  }

  private static Strategy strategy(Fields fields, List<Feature> features) {
    String expression = fields.optionalString("spelExpression");
    String direct = fields.optionalString("feature");
    if ((expression == null) == (direct == null)) {
      throw fields.wrong(
          "spelExpression", expression, "an expression, or feature: a numeric feature's name");
    }
    for (String name : fields.strings("features", Features.MAX_FEATURES)) {
      if (features.stream().noneMatch(f -> f.name().equals(name))) {
        throw fields.wrong("features", name, "a feature of featureConfig");
      }
    }
    fields.done();
    return expression != null ? new Strategy.Expression(expression) : new Strategy.Direct(direct);
  }

  static void write(JsonOut out, Board board, BoardVersion version, String tenantId) {
    out.name("configId").string(board.leaderboardId());
    out.name("id").string(board.leaderboardId());
    out.name("tenantId").string(tenantId);
    out.name("version").number(version.number());
    out.name("name").string(version.name());
    out.name("status").string(version.status().name());
    Rules rules = version.rules();
    out.name("rankingOrder").string(rules.order().name());
    out.name("ties").string(rules.ties().name());
    out.name("update").string(rules.update().name());
    out.name("decimals").number(rules.decimals());
    Scoring scoring = version.scoring();
    if (scoring != null) {
      write(out, scoring);
    }
    recurring(out, version);
    WindowFields.write(out.name("windows"), version.windows());
    Feed feed = version.feed();
    if (feed != null) {
      out.name("topicName").string(feed.topicName());
      out.name("writeQPS").number(feed.writeQps());
    }
    if (version.start() != Board.NO_START) {
      out.name("startTime").timestamp(version.start());
    }
    if (version.end() != Board.NO_END) {
      out.name("endTime").timestamp(version.end());
    }
    out.name("visibility").string(version.visibility().name());
    out.name("metadata").raw(version.metadata());
    out.name("createdAt").timestamp(board.createdAt());
    out.name("updatedAt").timestamp(version.updatedAt());
  }

  private static void write(JsonOut out, Scoring scoring) {
    out.name("featureConfig").beginObject().name("features").beginArray();
    for (Feature feature : scoring.features()) {
      out.beginObject();
      out.name("name").string(feature.name());
      out.name("dataType").string(feature.type().name());
      out.name("required").bool(feature.required());
      out.endObject();
    }
    out.endArray().endObject();
    out.name("scoringStrategy").beginObject();
    switch (scoring.strategy()) {
      case Strategy.Expression(String text) -> out.name("spelExpression").string(text);
      case Strategy.Direct(String feature) -> out.name("feature").string(String.valueOf(feature));
    }
    out.name("features").value(scoring.features().stream().map(Feature::name).toList());
    out.endObject();
  }

  private static void recurring(JsonOut out, BoardVersion version) {
    Window first = version.windows().getFirst();
    if (version.windows().size() == 1 && first.schedule() instanceof Schedule.Cron cron) {
      out.name("recurringConfig").beginObject();
      WindowFields.write(out, cron);
      out.name("timeZone").string(first.zone().getId());
      if (first.until() != Board.NO_END) {
        out.name("recurringEndTime").timestamp(first.until());
      }
      out.endObject();
    }
  }
}
