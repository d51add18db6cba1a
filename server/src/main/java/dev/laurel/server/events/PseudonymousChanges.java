package dev.laurel.server.events;

import dev.laurel.core.events.Change;
import dev.laurel.core.events.ChangeStream;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredSecret;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.Json;
import dev.laurel.server.http.JsonOut;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Changes for those who must not learn who the users are, such as a warehouse. A user has one
 * pseudonym in a tenant: a keyed hash, by a secret that all nodes share. What callers wrote
 * themselves (event ids, metadata) may name users, so it stays behind; of an award it is known what
 * its metadata has, and what is no user's own is kept. Belongs to one thread.
 */
public final class PseudonymousChanges {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 16;
  private static final List<String> OF_AWARDS = List.of("award_id", "action_type");

  private final SecretKeySpec key;

  public PseudonymousChanges(Store store) {
    this.key = new SecretKeySpec(StoredSecret.of(store, "pseudonym"), ALGORITHM);
  }

  public List<ChangeStream.Message> encode(Change change) {
    LedgerLine line = change.line();
    return ChangePayload.encode(
        new Change(
            line.without(change.award() == null ? null : ofAward(line.metadata())),
            change.board(),
            change.tenantId(),
            pseudonym(change.tenantId(), change.userId()),
            change.seasons(),
            change.award()));
  }

  private static @Nullable String ofAward(@Nullable String metadata) {
    if (metadata == null) {
      return null; // erased meanwhile
    }
    Fields fields = Json.object(metadata.getBytes(StandardCharsets.UTF_8));
    JsonOut kept = new JsonOut(128);
    kept.beginObject();
    for (String name : OF_AWARDS) {
      String value = fields.optionalString(name);
      if (value != null) {
        kept.name(name).string(value);
      }
    }
    if (fields.value("rules_version") instanceof Long version) {
      kept.name("rules_version").number(version);
    }
    return kept.endObject().toString();
  }

  private String pseudonym(String tenantId, String userId) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      // Ids of tenants have no line breaks.
      byte[] hash = mac.doFinal((tenantId + "\n" + userId).getBytes(StandardCharsets.UTF_8));
      return "p-"
          + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
