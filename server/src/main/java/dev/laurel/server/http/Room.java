package dev.laurel.server.http;

/** What all connections of a server share, and none of them may use up. */
public record Room(
    ConnectionCap connections, BodyBudget bodies, UnreadAnswers unread, HeapPressure heap) {}
