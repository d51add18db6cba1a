package dev.laurel.sql;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Topic;
import java.sql.SQLException;
import java.util.List;

/** Registered topics. */
final class TopicTable {
  private static final String READ =
      "SELECT topic_name, tenant, partitions, created_at FROM topics ORDER BY topic_name";
  private static final String INSERT =
      "INSERT INTO topics (topic_name, tenant, partitions, created_at) VALUES (?, ?, ?, ?)"
          + " ON CONFLICT (topic_name) DO NOTHING";

  private final Statements statements;
  private final MetaTable meta;

  TopicTable(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<Topic> all() throws SQLException {
    return statements.list(
        row -> new Topic(row.getString(1), row.getLong(2), row.getInt(3), row.getLong(4)), READ);
  }

  Topic create(Topic topic) throws SQLException {
    meta.nextRevision();
    int inserted =
        statements.update(
            INSERT, topic.topicName(), topic.tenant(), topic.partitions(), topic.createdAt());
    if (inserted == 0) {
      throw Rejection.expectation(
              ErrorCode.TOPIC_EXISTS,
              "topicName",
              topic.topicName(),
              "a name that no topic has yet")
          .asException();
    }
    return topic;
  }
}
