package dev.laurel.core.store;

/** An isolated customer. Number 1 is the tenant {@code default}. */
public record Tenant(long id, String tenantId, String name, long createdAt) {
  public static final long DEFAULT = 1;
}
