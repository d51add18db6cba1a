package dev.laurel.server.imports;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Lines that are sent together.
 *
 * @param key the Idempotency-Key, which also names everything the lane sent before
 * @param lastLine the number of the last line
 */
record Batch(int lane, List<ImportLine> lines, String key, long lastLine) {
  List<ImportLine.Good> good() {
    return lines.stream()
        .filter(ImportLine.Good.class::isInstance)
        .map(ImportLine.Good.class::cast)
        .toList();
  }

  byte[] body() {
    List<ImportLine.Good> good = good();
    int size = 16 + good.size() + good.stream().mapToInt(line -> line.json().length).sum();
    ByteArrayOutputStream out = new ByteArrayOutputStream(size);
    out.writeBytes("{\"scores\":[".getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < good.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      out.writeBytes(good.get(i).json());
    }
    out.writeBytes("]}".getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }
}
