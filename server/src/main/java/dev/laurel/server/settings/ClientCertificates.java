package dev.laurel.server.settings;

/** Who must show a certificate of an authority that is trusted. */
public enum ClientCertificates {
  /** Nobody; one that is shown must be good all the same. */
  OPTIONAL,
  /** Whoever calls a route for services. */
  SERVICES,
  /** Whoever connects. */
  ALL
}
