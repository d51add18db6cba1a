package dev.laurel.server.api;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.Board;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.Profile;
import dev.laurel.server.http.JsonOut;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets to see of who is on a board. Without the right to read the tenant's data one
 * is the public, to whom users may have decided not to be shown; everyone sees himself. Immutable.
 */
final class NameView {
  private static final byte[] DISPLAY_NAME = JsonOut.key("displayName");

  private final Board board;

  /** Null where nobody has any, so that most pay one look. */
  private final @Nullable Map<Integer, Profile> profiles;

  private final boolean isPublic;
  private final @Nullable String self;

  private NameView(
      Board board,
      @Nullable Map<Integer, Profile> profiles,
      boolean isPublic,
      @Nullable String self) {
    this.board = board;
    this.profiles = profiles;
    this.isPublic = isPublic;
    this.self = self;
  }

  static NameView of(@Nullable Principal caller, Board board, Profiles profiles) {
    Map<Integer, Profile> found = profiles.of(board.tenant());
    return caller == null || caller.tenant() != board.tenant()
        ? new NameView(board, found, true, null)
        : new NameView(board, found, !caller.may(ApiKey.Scope.READ), caller.userId());
  }

  /** How the public, or everyone who may read the tenant's data, sees the users of a board. */
  static NameView shared(boolean isPublic, Board board, Profiles profiles) {
    return new NameView(board, profiles.of(board.tenant()), isPublic, null);
  }

  boolean isPublic() {
    return isPublic;
  }

  /** Whether the user is called something else on other ranks. */
  boolean dependsOnRank(int user) {
    Profile profile = profile(user);
    return isPublic && profile != null && profile.hiddenFrom() > 1;
  }

  private @Nullable Profile profile(int user) {
    return profiles == null ? null : profiles.get(user);
  }

  private boolean isHidden(Profile profile, long rank) {
    return isPublic
        && profile.hiddenFrom() != 0
        && (rank >= profile.hiddenFrom() || rank == Ranking.OUTSIDE);
  }

  private boolean isHidden(@Nullable Profile profile, UserDictionary users, long rank) {
    return profile != null
        && isHidden(profile, rank)
        && !(self != null && self.equals(users.id(profile.user())));
  }

  /** The same where the id is known. */
  boolean hides(String userId, int user, long rank) {
    Profile profile = profile(user);
    return profile != null && !userId.equals(self) && isHidden(profile, rank);
  }

  /** Whether the caller may not know that this is the user's rank. */
  boolean hides(UserDictionary users, int user, long rank) {
    return isHidden(profile(user), users, rank);
  }

  /**
   * The user's row. One who is not shown to the caller is not there: who asks knows the id, and is
   * not to learn more.
   */
  Ranking.Row row(Rankings.View view, String userId) {
    Ranking.Row row = view.ranking().row(view.users().find(userId));
    if (row == null || hides(view.users(), row.user(), row.rank())) {
      throw BoardAccess.userNotFound("userId", userId, "board " + board.uuid()).asException();
    }
    return row;
  }

  /** The user's id, or a pseudonym. */
  String id(UserDictionary users, int user, long rank) {
    Profile profile = profile(user);
    return profile != null && isHidden(profile, users, rank)
        ? Profiles.pseudonym(profile, board)
        : users.id(user);
  }

  /** Null for a user who has none, or is not shown. */
  @Nullable String displayName(UserDictionary users, int user, long rank) {
    Profile profile = profile(user);
    return profile == null || isHidden(profile, users, rank) ? null : profile.displayName();
  }

  /** userId and, if there is one, displayName. */
  void write(JsonOut out, UserDictionary users, int user, long rank) {
    out.name(Answers.USER_ID).string(id(users, user, rank));
    writeDisplayName(out, users, user, rank);
  }

  void writeDisplayName(JsonOut out, UserDictionary users, int user, long rank) {
    String name = displayName(users, user, rank);
    if (name != null) {
      out.name(DISPLAY_NAME).string(name);
    }
  }
}
