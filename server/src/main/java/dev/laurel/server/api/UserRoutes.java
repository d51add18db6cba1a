package dev.laurel.server.api;

import dev.laurel.core.access.Principal;
import dev.laurel.core.privacy.Erasure;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.review.LongWork;
import dev.laurel.core.store.Profile;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.limits.DailyCap;

/**
 * What there is of a user beside scores: the profile, all data, and the end of it. Each for a
 * service that names the user, and for the user with a token.
 */
final class UserRoutes {
  private final Profiles profiles;
  private final UserExport exporter;
  private final Erasure erasure;
  private final LongWork work;
  private final DailyCap ofUsers;

  /**
   * @param work where what reads whole ledgers queues
   * @param ofUsers how often users may ask for all of their data, or for the end of it
   */
  UserRoutes(
      Profiles profiles, UserExport exporter, Erasure erasure, LongWork work, DailyCap ofUsers) {
    this.profiles = profiles;
    this.exporter = exporter;
    this.erasure = erasure;
    this.work = work;
    this.ofUsers = ofUsers;
  }

  void putProfile(Exchange exchange) {
    put(exchange, RankRoutes.userId(exchange, "userId"), "userId", "displayName");
  }

  void putOwnProfile(Exchange exchange) {
    put(exchange, exchange.user(), "user_id", "display_name");
  }

  private void put(Exchange exchange, String userId, String idField, String nameField) {
    RequestKey.forConfiguration(exchange);
    ProfileFields fields = ProfileFields.read(exchange.fields(), nameField);
    Principal caller = exchange.caller();
    Profile stored =
        profiles.put(
            caller.tenant(), userId, fields.displayName(), fields.hiddenFrom(), caller.number());
    answer(exchange, userId, ProfileFields.of(stored), idField, nameField);
  }

  void getProfile(Exchange exchange) {
    get(exchange, RankRoutes.userId(exchange, "userId"), "userId", "displayName");
  }

  void getOwnProfile(Exchange exchange) {
    get(exchange, exchange.user(), "user_id", "display_name");
  }

  private void get(Exchange exchange, String userId, String idField, String nameField) {
    long tenant = exchange.caller().tenant();
    Profile found = profiles.find(tenant, profiles.require(tenant, userId));
    answer(exchange, userId, ProfileFields.of(found), idField, nameField);
  }

  private static void answer(
      Exchange exchange, String userId, ProfileFields fields, String idField, String nameField) {
    JsonOut out = new JsonOut(160).beginObject();
    out.name(idField).string(userId);
    fields.write(out, nameField);
    exchange.json(out.endObject());
  }

  void export(Exchange exchange) {
    exporter.export(exchange, RankRoutes.userId(exchange, "userId"));
  }

  void exportOwn(Exchange exchange) {
    ofUsers.take(exchange, "exports");
    exporter.export(exchange, exchange.user());
  }

  void erase(Exchange exchange) {
    erase(exchange, RankRoutes.userId(exchange, "userId"));
  }

  void eraseOwn(Exchange exchange) {
    ofUsers.take(exchange, "erasures");
    erase(exchange, exchange.user());
  }

  private void erase(Exchange exchange, String userId) {
    RequestKey.forConfiguration(exchange);
    Principal caller = exchange.caller();
    boolean done =
        work.run(caller.tenant(), () -> erasure.erase(caller.tenant(), userId, caller.number()));
    if (done) {
      exchange.noContent();
    } else {
      exchange
          .status(202)
          .json(new JsonOut(32).beginObject().name("state").string("ERASING").endObject());
    }
  }
}
