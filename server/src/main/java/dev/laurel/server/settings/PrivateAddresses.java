package dev.laurel.server.settings;

/** Whether what tenants name may lead to private addresses. */
public enum PrivateAddresses {
  ALLOW,
  REFUSE
}
