package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.Digest;
import dev.laurel.core.store.IdChunk;
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

  @Test
  default void removeOldIds_chunkByChunk_leavesWhatIsNotPastItsTime() {
    List<StoredId> stored = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      // One third by when they were stored, one third with times of their own; one third is new.
      long created = i % 3 == 0 ? 50 : 150;
      long expires = i % 3 == 1 ? 70 : 0;
      Digest key = Digest.of("event", "e" + i);
      stored.add(
          new StoredId(
              7, key, Digest.of("p"), 1, true, 10, 1, created, null, i == 4 ? 99 : expires));
    }
    put(stored.toArray(StoredId[]::new));
    put(new StoredId(8, Digest.of("x"), Digest.of("p"), 1, true, 10, 1, 1, null));
    IdChunk.Times times = new IdChunk.Times(100, 80);
    int chunks = 0;
    int old = 0;
    Digest after = null;
    do {
      Digest from = after;
      IdChunk chunk = store().read(tx -> tx.idChunk(7, from, times, 64));
      write(tx -> tx.removeOldIds(chunk, times));
      chunks++;
      old += chunk.old();
      after = chunk.last();
    } while (after != null);
    assertThat(chunks).isEqualTo(5);
    assertThat(old).isEqualTo(199);
    List<StoredId.Name> left =
        stored.stream()
            .filter(id -> id.createdAt() == 150 && (id.expiresAt() == 0 || id.expiresAt() == 99))
            .map(StoredId::name)
            .toList();
    assertThat(find(stored.stream().map(StoredId::name).toArray(StoredId.Name[]::new)).keySet())
        .containsExactlyInAnyOrderElementsOf(left);
    IdChunk other = store().read(tx -> tx.idChunk(8, null, times, 64));
    assertThat(other).isEqualTo(new IdChunk(8, null, null, 1));
  }

  @Test
  default void forget_twice_movesForwardOnlyAndIsAChange() {
    assertThat(store().<Long>read(tx -> tx.forgotten())).isEqualTo(Long.MIN_VALUE);
    long before = store().<Long>read(tx -> tx.revision());
    write(tx -> tx.forget(50));
    write(tx -> tx.forget(40));
    reopen();
    assertThat(store().<Long>read(tx -> tx.forgotten())).isEqualTo(50);
    assertThat(store().<Long>read(tx -> tx.revision())).isGreaterThan(before);
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
