package dev.laurel.archive;

import dev.laurel.archive.Blocks.Block;
import dev.laurel.archive.Blocks.Part;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Units;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an archive holds and how to find it: the season in words for people and other programs, the
 * checksums, and the blocks. There is no time of writing in it: written again it is the same.
 */
record Manifest(int decimals, long line, long users, Part ranks, Part places) {
  static final String NAME = "manifest.json";
  static final String RANKS = "ranks.jsonl.gz";
  static final String PLACES = "users.jsonl.gz";

  private static final int FORMAT = 1;

  static byte[] json(SeasonDescription described, long users, Part ranks, Part places) {
    Board board = described.board();
    Season season = described.season();
    ObjectNode json = Lines.JSON.createObjectNode();
    json.put("format", FORMAT);
    json.put("tenantId", described.tenantId());
    json.put("UUID", board.uuid());
    json.put("leaderboardId", board.leaderboardId());
    json.put("name", board.name());
    json.put("period", described.window());
    json.put("instanceId", board.idOf(season));
    json.put("label", season.label());
    if (season.start() != Board.NO_START) {
      json.put("startTime", Instant.ofEpochMilli(season.start()).toString());
    }
    if (season.end() != Board.NO_END) {
      json.put("endTime", Instant.ofEpochMilli(season.end()).toString());
    }
    json.put("order", board.order().name());
    json.put("ties", board.ties().name());
    json.put("update", board.update().name());
    json.put("decimals", board.decimals());
    json.put("min", Units.format(board.bounds().min(), board.decimals()));
    json.put("max", Units.format(board.bounds().max(), board.decimals()));
    ArrayNode prizes = json.putArray("prizes");
    described.prizes().forEach(tier -> write(prizes.addObject(), tier));
    json.put("line", described.line());
    json.put("users", users);
    ObjectNode objects = json.putObject("objects");
    write(objects.putObject(RANKS), ranks);
    write(objects.putObject(PLACES), places);
    return Lines.JSON.writeValueAsBytes(json);
  }

  private static void write(ObjectNode json, PrizeTier tier) {
    json.put("name", tier.name());
    json.put("from", tier.from());
    json.put("to", tier.to());
    json.put("hundredthsOfPercent", tier.percent());
    String reward = tier.reward();
    if (reward != null) {
      json.put("reward", reward);
    }
  }

  private static void write(ObjectNode json, Part part) {
    json.put("bytes", part.bytes());
    json.put("sha256", part.sha256());
    ArrayNode blocks = json.putArray("blocks");
    for (Block block : part.blocks()) {
      blocks
          .addArray()
          .add(block.offset())
          .add(block.length())
          .add(block.first())
          .add(block.check());
    }
  }

  /**
   * @throws RuntimeException if it is no manifest
   */
  static Manifest parse(byte[] bytes) {
    JsonNode json = Lines.JSON.readTree(bytes);
    int format = json.required("format").asInt();
    if (format != FORMAT) {
      throw new IllegalArgumentException("format: " + format + " (expected: " + FORMAT + ")");
    }
    JsonNode objects = json.required("objects");
    return new Manifest(
        json.required("decimals").asInt(),
        json.required("line").asLong(),
        json.required("users").asLong(),
        part(objects.required(RANKS)),
        part(objects.required(PLACES)));
  }

  private static Part part(JsonNode json) {
    List<Block> blocks = new ArrayList<>();
    for (JsonNode block : json.required("blocks")) {
      blocks.add(
          new Block(
              block.required(0).asLong(),
              block.required(1).asInt(),
              block.required(2).asString(),
              block.required(3).asString()));
    }
    return new Part(
        json.required("bytes").asLong(), json.required("sha256").asString(), List.copyOf(blocks));
  }
}
