package dev.laurel.archive;

import dev.laurel.archive.Blocks.Part;
import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.store.Asker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * A season is three objects: its rows in their order, its users in the order of their ids with the
 * positions of their rows, and the manifest. The manifest is written last: without it there is no
 * archive, so a run that was killed is simply run again.
 *
 * <p>They are in a folder that the manifest's digest names. So what one node writes never replaces
 * what another one has written and relies on, if a revert came in between and the two differ.
 */
public final class ObjectArchive implements Archive {
  /** A manifest is some hundred bytes a thousand users. */
  private static final int MANIFESTS = 16;

  private static final int BLOCKS = 64;

  /** Of a digest, in a folder's name. */
  private static final int NAME_CHARS = 16;

  private final Objects objects;
  private final Path work;
  private final Recent<Key, ObjectSeason> seasons = new Recent<>(MANIFESTS);
  private final Recent<ObjectSeason.BlockKey, List<?>> blocks = new Recent<>(BLOCKS);

  private record Key(String name, String digest) {}

  /**
   * @param work a folder for what is being written; nobody else's, so what is in it is what a crash
   *     has left, and is removed
   */
  public ObjectArchive(Objects objects, Path work) {
    this.objects = objects;
    this.work = work;
    try {
      if (Files.isDirectory(work)) {
        delete(work);
      }
    } catch (IOException e) {
      throw ArchiveException.unavailable("the folder " + work + " cannot be cleared: " + e, e);
    }
  }

  @Override
  public Written write(SeasonDescription season, Rows rows) {
    try {
      Files.createDirectories(work);
      Path folder = Files.createTempDirectory(work, "season");
      try {
        return write(season, rows, folder);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw ArchiveException.unavailable("the archive cannot be prepared in the data folder", e);
    }
  }

  private Written write(SeasonDescription season, Rows rows, Path folder) throws IOException {
    Path ranksFile = folder.resolve(Manifest.RANKS);
    Path placesFile = folder.resolve(Manifest.PLACES);
    SortedIds ids = new SortedIds(folder, SortedIds.RUN);
    long users = 0;
    Part ranks;
    try (Blocks.Writer out = new Blocks.Writer(ranksFile)) {
      for (List<ArchivedRow> some = rows.next(); !some.isEmpty(); some = rows.next()) {
        for (ArchivedRow row : some) {
          long position = row.rank().position();
          out.add(Long.toString(position), Lines.row(row, season.board().decimals()));
          ids.add(row.userId(), position);
          users++;
        }
      }
      ranks = out.finish();
    }
    Part places;
    try (Blocks.Writer out = new Blocks.Writer(placesFile)) {
      ids.drain(id -> out.add(new String(id.id(), StandardCharsets.UTF_8), Lines.user(id)));
      places = out.finish();
    }
    byte[] manifest = Manifest.json(season, users, ranks, places);
    Path manifestFile = Files.write(folder.resolve(Manifest.NAME), manifest);
    String digest = sha256(manifest);
    String name = folder(season.name(), digest) + "/";
    objects.put(name + Manifest.RANKS, ranksFile);
    objects.put(name + Manifest.PLACES, placesFile);
    objects.put(name + Manifest.NAME, manifestFile);
    return new Written(users, ranks.bytes() + places.bytes() + manifest.length, digest);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  static String folder(String name, String digest) {
    return name + "/" + digest.substring(0, Math.min(NAME_CHARS, digest.length()));
  }

  @Override
  public ArchivedSeason open(String name, String digest) {
    return seasons.get(
        new Key(name, digest),
        key -> {
          Found found = find(name, digest);
          return new ObjectSeason(objects, blocks, found.folder, digest, found.manifest);
        });
  }

  /** A manifest, and the folder of the objects that it is about. */
  private record Found(String folder, Manifest manifest) {}

  /** Archives of before are not in a folder of their own. */
  private Found find(String name, String digest) {
    String folder = folder(name, digest);
    try {
      return new Found(folder, manifest(folder, digest));
    } catch (ArchiveException e) {
      if (e.code() != ErrorCode.ARCHIVE_DAMAGED) {
        throw e;
      }
      try {
        return new Found(name, manifest(name, digest));
      } catch (ArchiveException nowhere) {
        // Of the two it is the first that should have been there.
        e.addSuppressed(nowhere);
        throw nowhere.code() == ErrorCode.ARCHIVE_DAMAGED ? e : nowhere;
      }
    }
  }

  private Manifest manifest(String folder, String digest) {
    String object = folder + "/" + Manifest.NAME;
    try (InputStream in = objects.open(object)) {
      byte[] bytes = in.readAllBytes();
      if (!sha256(bytes).equals(digest)) {
        throw ArchiveException.damaged(
            "%s: sha256 %s (expected: %s)".formatted(object, sha256(bytes), digest));
      }
      return Manifest.parse(bytes);
    } catch (IOException e) {
      throw ArchiveException.unavailable(object + " cannot be read", e);
    }
  }

  @Override
  public void verify(String name, String digest, LongConsumer progress) {
    Found found = find(name, digest);
    Manifest manifest = found.manifest;
    long done = verify(found.folder + "/" + Manifest.RANKS, manifest.ranks(), 0, progress);
    verify(found.folder + "/" + Manifest.PLACES, manifest.places(), done, progress);
  }

  private long verify(String object, Part part, long before, LongConsumer progress) {
    MessageDigest found = Blocks.newSha256();
    long bytes = 0;
    try (InputStream in = objects.open(object)) {
      byte[] buffer = new byte[65_536];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        Asker.requireCurrent();
        found.update(buffer, 0, n);
        bytes += n;
        progress.accept(before + bytes);
      }
    } catch (IOException e) {
      throw ArchiveException.unavailable(object + " cannot be read", e);
    }
    String sha256 = HexFormat.of().formatHex(found.digest());
    if (bytes != part.bytes() || !sha256.equals(part.sha256())) {
      throw ArchiveException.damaged(
          "%s: %d bytes, sha256 %s (expected: %d bytes, %s)"
              .formatted(object, bytes, sha256, part.bytes(), part.sha256()));
    }
    return before + bytes;
  }

  private static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(Blocks.newSha256().digest(bytes));
  }

  @Override
  public boolean outlivesNodes() {
    return objects.outlivesNodes();
  }

  @Override
  public void prove(long node) {
    try {
      Files.createDirectories(work);
      Path file = Files.createTempFile(work, "proof", ".tmp");
      try {
        objects.put(proof(node), Files.writeString(file, Long.toHexString(node)));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw ArchiveException.unavailable("the archive cannot be prepared in the data folder", e);
    }
  }

  @Override
  public boolean isProven(long node) {
    try (InputStream in = objects.open(proof(node))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).equals(Long.toHexString(node));
    } catch (ArchiveException e) {
      if (e.code() == ErrorCode.ARCHIVE_DAMAGED) {
        return false; // it is not there
      }
      throw e;
    } catch (IOException e) {
      throw ArchiveException.unavailable(proof(node) + " cannot be read", e);
    }
  }

  @Override
  public void withdraw(long node) {
    objects.delete(proof(node));
  }

  /** No season's name begins with a point. */
  private static String proof(long node) {
    return ".laurel/proof-" + Long.toHexString(node);
  }

  @Override
  public void close() {
    objects.close();
  }
}
