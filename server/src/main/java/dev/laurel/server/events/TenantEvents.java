package dev.laurel.server.events;

import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.IsoTimes;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Validation;
import dev.laurel.server.http.Fields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events of configurations: the same JSON by HTTP and in a tenant's topics. */
public final class TenantEvents {
  private TenantEvents() {}

  /** An event, and the configuration it is for. */
  public record Read(String configId, Command command) {}

  /**
   * @throws dev.laurel.core.model.RejectedException if it is none
   */
  public static Read read(Fields fields) {
    String config = fields.string("leaderboardConfigId");
    String userId = fields.string("userId");
    Command command =
        new Command.Event(
            userId,
            features(fields.object("features")),
            time(fields),
            fields.optionalString("eventId"),
            fields.optionalRawObject("metadata", Validation.MAX_METADATA_BYTES));
    fields.done();
    return new Read(config, command);
  }

  private static @Nullable Long time(Fields fields) {
    String text = fields.optionalString("timestamp");
    Long millis = text == null ? null : IsoTimes.millis(text);
    if (text != null && millis == null) {
      throw fields.wrong("timestamp", text, IsoTimes.EXPECTED);
    }
    return millis;
  }

  /** The configuration's board, if it is this tenant's. */
  public static Board require(Boards boards, long tenant, String configId) {
    Board board = boards.findInternal(tenant, configId);
    if (board == null) {
      throw Rejection.expectation(
              ErrorCode.CONFIG_NOT_FOUND,
              "leaderboardConfigId",
              configId,
              "a configuration of this tenant")
          .asException();
    }
    return board;
  }

  /**
   * Values as they were sent; what has no type of its own (a list, a far too long number) stays so.
   */
  public static Map<String, Object> features(Fields fields) {
    Map<String, Object> features = new LinkedHashMap<>();
    for (String name : fields.names()) {
      Object value = fields.value(name);
      if (value != null) {
        features.put(name, value);
      }
    }
    return features;
  }
}
