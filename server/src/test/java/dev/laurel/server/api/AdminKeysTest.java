package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import org.junit.jupiter.api.Test;

/** Nobody but the platform admin takes the platform from the platform admin. */
class AdminKeysTest {
  private static final String KEYS = "/api/v1/keys";
  private static final String OTHER_KEY = "another-admin-key-0123456789";

  @Test
  void revoke_adminKeyByAManagerOfTheDefaultTenant_isNotThere() {
    try (TestServer server = TestServer.start()) {
      Api admin = Api.admin(server);
      Api manager = admin.key("manager", "read", "ingest", "manage");
      String adminKeyId = admin.get(KEYS).is(200).at("/keys/0/keyId");
      assertThat(manager.get(KEYS).is(200).all("/keys", "name")).containsExactly("manager");
      manager.delete(KEYS + "/" + adminKeyId).refused(404, "KEY_NOT_FOUND");
      admin.get(KEYS).is(200);
    }
  }

  @Test
  void revoke_lastAdminKey_isRefused() {
    try (TestServer server = TestServer.start()) {
      Api admin = Api.admin(server);
      String first = admin.get(KEYS).is(200).at("/keys/0/keyId");
      admin.delete(KEYS + "/" + first).refused(409, "LAST_ADMIN_KEY");
      Answer made = admin.post(KEYS, "{'name':'second','scopes':['admin']}").is(201);
      Api second = Api.anonymous(server).with("X-API-Key", made.at("/key"));
      second.delete(KEYS + "/" + first).is(204);
      second.delete(KEYS + "/" + made.at("/keyId")).refused(409, "LAST_ADMIN_KEY");
    }
  }

  @Test
  void start_adminKeyRolledForthAndBack_theGivenOneIsInForce() {
    TestServer server = TestServer.start();
    try {
      server = server.restart(settings -> settings.with(Settings.ADMIN_KEY, OTHER_KEY));
      Api.admin(server).get(KEYS).refused(401, "UNAUTHENTICATED");
      Api.anonymous(server).with("X-API-Key", OTHER_KEY).get(KEYS).is(200);
      server = server.restart(settings -> settings.with(Settings.ADMIN_KEY, TestServer.ADMIN_KEY));
      Api.admin(server).get(KEYS).is(200);
      Api.anonymous(server).with("X-API-Key", OTHER_KEY).get(KEYS).refused(401, "UNAUTHENTICATED");
    } finally {
      server.close();
    }
  }

  @Test
  void start_adminKeyWasRevokedByAnotherAdmin_isInForceAgain() {
    TestServer server = TestServer.start();
    try {
      Api admin = Api.admin(server);
      Api second = Api.anonymous(server).with("X-API-Key", admin.secret("second", "admin"));
      second.delete(KEYS + "/" + second.get(KEYS).at("/keys/0/keyId")).is(204);
      admin.get(KEYS).refused(401, "UNAUTHENTICATED");
      server = server.restart();
      Api.admin(server).get(KEYS).is(200);
    } finally {
      server.close();
    }
  }
}
