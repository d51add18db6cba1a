package dev.laurel.archive;

import dev.laurel.archive.Blocks.Block;
import dev.laurel.archive.Blocks.Part;
import dev.laurel.archive.Lines.Place;
import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Asker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads an archived season block by block; each is compared with its checksum. Thread-safe. */
final class ObjectSeason implements ArchivedSeason {
  private final Objects objects;
  private final Recent<BlockKey, List<?>> cache;
  private final String name;
  private final String digest;
  private final Manifest manifest;

  ObjectSeason(
      Objects objects,
      Recent<BlockKey, List<?>> cache,
      String name,
      String digest,
      Manifest manifest) {
    this.objects = objects;
    this.cache = cache;
    this.name = name;
    this.digest = digest;
    this.manifest = manifest;
  }

  /** A block of an archive as it was written. */
  record BlockKey(String object, String digest, long offset) {}

  @Override
  public long line() {
    return manifest.line();
  }

  @Override
  public long users() {
    return manifest.users();
  }

  @Override
  public List<ArchivedRow> rows(long from, int limit) {
    long to =
        Math.min(manifest.users(), limit > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + limit);
    List<ArchivedRow> rows = new ArrayList<>();
    List<Block> blocks = manifest.ranks().blocks();
    int at = last(manifest.ranks(), block -> Long.parseLong(block.first()) <= from);
    for (; at >= 0 && at < blocks.size() && from + rows.size() < to; at++) {
      List<ArchivedRow> block = ranks(blocks.get(at));
      int skip = (int) (from + rows.size() - block.getFirst().rank().position());
      int take = (int) Math.min(block.size(), skip + to - from - rows.size());
      rows.addAll(block.subList(skip, take));
    }
    return rows;
  }

  @Override
  public long position(String userId) {
    int at = last(manifest.places(), block -> UserIds.compare(block.first(), userId) <= 0);
    if (at < 0) {
      return -1;
    }
    List<Place> places = places(manifest.places().blocks().get(at));
    for (Place place : places) {
      if (place.userId().equals(userId)) {
        return place.position();
      }
    }
    return -1;
  }

  /**
   * The last block of the first ones for which it holds; -1 if there is none, or nothing at all.
   */
  private int last(Part part, Predicate<Block> holds) {
    int low = 0;
    int high = manifest.users() == 0 ? 0 : part.blocks().size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds.test(part.blocks().get(middle))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  @SuppressWarnings("unchecked") // an object's blocks are all of one kind
  private List<ArchivedRow> ranks(Block block) {
    return (List<ArchivedRow>)
        read(Manifest.RANKS, block, line -> Lines.row(line, manifest.decimals()));
  }

  @SuppressWarnings("unchecked") // an object's blocks are all of one kind
  private List<Place> places(Block block) {
    return (List<Place>) read(Manifest.PLACES, block, Lines::place);
  }

  private List<?> read(String part, Block block, Function<String, ?> parse) {
    String object = name + "/" + part;
    Asker.requireCurrent();
    return cache.get(
        new BlockKey(object, digest, block.offset()),
        key -> {
          byte[] bytes = objects.read(object, block.offset(), block.length());
          if (!Blocks.check(bytes).equals(block.check())) {
            throw ArchiveException.damaged(
                "%s: bytes %d+%d are not those that were written"
                    .formatted(object, block.offset(), block.length()));
          }
          try {
            return Blocks.lines(bytes).stream().map(parse).toList();
          } catch (IOException e) {
            throw ArchiveException.damaged(object + ": " + e, e);
          }
        });
  }
}
