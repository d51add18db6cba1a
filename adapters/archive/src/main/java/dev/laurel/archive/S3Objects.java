package dev.laurel.archive;

import dev.laurel.core.archive.ArchiveException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects in a bucket of S3, or of a server that speaks it. The bucket must be there. */
public final class S3Objects implements Objects {
  private final S3Client client;
  private final String bucket;
  private final String prefix;

  /**
   * @param prefix what all names begin with; empty, or with a slash at the end
   */
  S3Objects(S3Client client, String bucket, String prefix) {
    this.client = client;
    this.bucket = bucket;
    this.prefix = prefix;
  }

  /**
   * @param location {@code s3://bucket/prefix}
   * @param endpoint null for Amazon's own
   * @param region null for what the SDK finds
   */
  public static S3Objects connect(
      String location, @Nullable URI endpoint, @Nullable String region) {
    Location place = Location.parse(location);
    return new S3Objects(builder(endpoint, region).build(), place.bucket, place.prefix);
  }

  /** Credentials are found by the SDK's own chain. */
  static S3ClientBuilder builder(@Nullable URI endpoint, @Nullable String region) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            // Other servers seldom know the SDK's newer checksums, or a host name a bucket. The
            // archive has checksums of its own.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .forcePathStyle(endpoint != null);
    if (endpoint != null) {
      builder.endpointOverride(endpoint);
    }
    if (region != null) {
      builder.region(Region.of(region));
    }
    return builder;
  }

  /** A bucket, and what names in it begin with. */
  record Location(String bucket, String prefix) {
    static Location parse(String text) {
      URI uri = URI.create(text);
      String bucket = uri.getHost();
      if (!"s3".equals(uri.getScheme()) || bucket == null) {
        throw new IllegalArgumentException(
            "archive: " + text + " (expected: s3://bucket or s3://bucket/prefix)");
      }
      String path = uri.getPath().replaceAll("^/+|/+$", "");
      return new Location(bucket, path.isEmpty() ? "" : path + "/");
    }
  }

  @Override
  public void put(String name, Path file) {
    call(
        "write",
        name,
        () ->
            client.putObject(
                request -> request.bucket(bucket).key(prefix + name), RequestBody.fromFile(file)));
  }

  @Override
  public InputStream open(String name) {
    return call("read", name, () -> client.getObject(get -> get.bucket(bucket).key(prefix + name)));
  }

  @Override
  public byte[] read(String name, long offset, int length) {
    String range = "bytes=" + offset + "-" + (offset + length - 1);
    return call(
        "read",
        name,
        () ->
            client
                .getObjectAsBytes(get -> get.bucket(bucket).key(prefix + name).range(range))
                .asByteArrayUnsafe());
  }

  private <T> T call(String doing, String name, Supplier<T> call) {
    try {
      return call.get();
    } catch (NoSuchKeyException e) {
      throw ArchiveException.damaged("missing in the archive: " + name, e);
    } catch (S3Exception e) {
      if (e.statusCode() == 416) {
        throw ArchiveException.damaged("too short in the archive: " + name, e);
      }
      throw unavailable(doing, name, e);
    } catch (SdkException e) {
      throw unavailable(doing, name, e);
    }
  }

  /** Which bucket it is, and what the server said, stays in the cause, for the log. */
  private static ArchiveException unavailable(String doing, String name, SdkException e) {
    String why =
        e instanceof S3Exception answer
            ? "status " + answer.statusCode()
            : e.getClass().getSimpleName();
    return ArchiveException.unavailable(
        "the archive cannot %s %s (%s)".formatted(doing, name, why), e);
  }

  @Override
  public void delete(String name) {
    call(
        "remove",
        name,
        () -> client.deleteObject(delete -> delete.bucket(bucket).key(prefix + name)));
  }

  @Override
  public boolean outlivesNodes() {
    return true;
  }

  @Override
  public void close() {
    client.close();
  }
}
