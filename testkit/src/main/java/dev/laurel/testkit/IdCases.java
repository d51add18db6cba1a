package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoredId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ids that were used. */
interface IdCases extends StoreCases {
  @Test
  default void ids_withAndWithoutAnswer_comeBackAsTheyWere() {
    byte[] answer = "{\"ok\":true}".getBytes(StandardCharsets.UTF_8);
    StoredId full =
        new StoredId(
            0,
            new Digest(Long.MIN_VALUE, -1),
            new Digest(Long.MAX_VALUE, 0),
            Long.MAX_VALUE,
            true,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            -5,
            answer);
    StoredId bare = new StoredId(9, new Digest(0, 0), new Digest(0, 1), 0, false, 0, 0, 0, null);
    put(full, bare);

    Map<StoredId.Name, StoredId> found = find(full.name(), bare.name());
    assertThat(found).hasSize(2);
    assertThat(found.get(full.name())).usingRecursiveComparison().isEqualTo(full);
    assertThat(found.get(bare.name())).usingRecursiveComparison().isEqualTo(bare);
  }

  @Test
  default void ids_notUsed_areNotThere() {
    put(id(1, "a"));
    assertThat(find(id(1, "b").name(), id(2, "a").name())).isEmpty();
    assertThat(find()).isEmpty();
  }

  @Test
  default void ids_manyOnSeveralBoards_areFound() {
    List<StoredId> stored = new ArrayList<>();
    List<StoredId.Name> names = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      StoredId id = id(i % 3, "event-" + i);
      names.add(id.name());
      if (i % 2 == 0) {
        stored.add(id);
      }
    }
    put(stored.toArray(StoredId[]::new));
    assertThat(find(names.toArray(StoredId.Name[]::new)).values())
        .containsExactlyInAnyOrderElementsOf(stored);
  }

  @Test
  default void putIds_usedAlready_isRefusedAndTheFirstStays() {
    StoredId first = id(1, "a");
    put(first);
    StoredId second = new StoredId(1, first.key(), Digest.of("other"), 2, false, 2, 2, 2, null);
    assertThatThrownBy(() -> put(id(1, "b"), second)).isInstanceOf(StoreException.class);
    assertThat(find(first.name(), id(1, "b").name()).values()).containsExactly(first);
  }

  @Test
  default void putIds_sameKeyOnAnotherBoard_isAnotherId() {
    put(id(1, "a"), id(2, "a"));
    assertThat(find(id(1, "a").name(), id(2, "a").name())).hasSize(2);
  }

  @Test
  default void removeIds_someOfThem_areFreeAgain() {
    put(id(1, "a"), id(2, "a"), id(1, "b"));
    write(
        tx -> {
          tx.removeIds(List.of(id(1, "a").name(), id(9, "z").name()));
        });
    assertThat(find(id(1, "a").name(), id(2, "a").name(), id(1, "b").name())).hasSize(2);
    put(id(1, "a"));
  }

  private static StoredId id(long board, String event) {
    return new StoredId(
        board, Digest.of("event", event), Digest.of("payload"), 1, true, 10, 1, 1, null);
  }

  private Map<StoredId.Name, StoredId> find(StoredId.Name... names) {
    Collection<StoredId.Name> asked = List.of(names);
    return store().read(tx -> tx.ids(asked));
  }

  private void put(StoredId... ids) {
    write(
        tx -> {
          tx.putIds(List.of(ids));
        });
  }
}
