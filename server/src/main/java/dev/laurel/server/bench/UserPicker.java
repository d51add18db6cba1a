package dev.laurel.server.bench;

import java.util.SplittableRandom;

/** Says which user a request is about, from 0 on. For one thread. */
interface UserPicker {
  int next();

  static UserPicker uniform(int users, SplittableRandom random) {
    return () -> random.nextInt(users);
  }

  /** Every user in turn, then from the first again. */
  static UserPicker inTurn(int users) {
    return new UserPicker() {
      private int next;

      @Override
      public int next() {
        int user = next;
        next = user + 1 == users ? 0 : user + 1;
        return user;
      }
    };
  }

  static UserPicker of(BenchOptions options, SplittableRandom random) {
    return options.zipf()
        ? new ZipfUsers(options.users(), options.zipfExponent(), random)
        : uniform(options.users(), random);
  }
}
