package dev.laurel.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.model.ErrorCode;
import java.net.URI;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.s3.S3Client;

/** Against a real server that speaks S3 and checks signatures. */
class S3ObjectsTest extends ObjectsContract {
  private static final String KEY = "local-identity";
  private static final String SECRET = "local-credential";
  private static final String BUCKET = "laurel";

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static BlobStore blobs;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static S3Proxy server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private S3Objects objects;

  @BeforeAll
  static void startServer() throws Exception {
    blobs = BlobStores.create("transient", new Properties());
    blobs.createContainer(BUCKET);
    server =
        S3Proxy.builder()
            .blobStore(blobs)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, KEY, SECRET)
            .build();
    server.start();
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.stop();
    blobs.close();
  }

  private static S3Client client(int port, String secret) {
    return S3Objects.builder(URI.create("http://127.0.0.1:" + port), "us-east-1")
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, secret)))
        .build();
  }

  @BeforeEach
  void connect() {
    objects = new S3Objects(client(server.getPort(), SECRET), BUCKET, "seasons/");
  }

  @AfterEach
  void disconnect() {
    objects.close();
  }

  @Override
  Objects objects() {
    return objects;
  }

  @Test
  void open_withAWrongSecret_isUnavailable() {
    try (S3Objects stranger = new S3Objects(client(server.getPort(), "wrong"), BUCKET, "")) {
      assertThatThrownBy(() -> stranger.open("a/b"))
          .isInstanceOfSatisfying(
              ArchiveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.ARCHIVE_UNAVAILABLE));
    }
  }

  @Test
  void parse_locations_tellsBucketAndPrefix() {
    assertThat(S3Objects.Location.parse("s3://bucket"))
        .isEqualTo(new S3Objects.Location("bucket", ""));
    assertThat(S3Objects.Location.parse("s3://bucket/a/b/"))
        .isEqualTo(new S3Objects.Location("bucket", "a/b/"));
    assertThatThrownBy(() -> S3Objects.Location.parse("s3:bucket"))
        .hasMessageContaining("expected: s3://bucket");
  }
}
