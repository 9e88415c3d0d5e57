package org.railyard.selftest.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import org.jspecify.annotations.Nullable;

/** What can be asked of a node (spec 03 §1.1). */
public enum Service {
    /** What session a node is in. */
    DEBUG(0, 10),
    /** To take part in a session. */
    MAKE_SESSION(1, 0),
    /** To leave a session. */
    REMOVE_SESSION(2, 2),
    /** To start or stop a batch, or say how far it is. */
    BATCH(3, 4),
    /** To take a part in a test. */
    TEST(4, 8),
    /** What a node has counted. */
    STAT(5, 6),
    /** Of a console: a place in a group. */
    JOIN(6, 16),
    /** The bulk test. */
    BRW(11, 12),
    /** The ping test. */
    PING(12, 14);

    /** The portal of requests to services that are tests. */
    public static final int TEST_PORTAL = 50;

    /** The portal of requests to the other services. */
    public static final int FRAMEWORK_PORTAL = 51;

    /** The portal of replies and bulk data. */
    public static final int REPLY_PORTAL = 52;

    private static final int FIRST_TEST = 10;

    private final int id;
    private final int requestType;

    Service(int id, int requestType) {
        this.id = id;
        this.requestType = requestType;
    }

    /** Tells whether a portal belongs to selftest. */
    public static boolean isOfSelftest(int portal) {
        return portal == TEST_PORTAL || portal == FRAMEWORK_PORTAL || portal == REPLY_PORTAL;
    }

    /** Returns the service with a number; null if there is none. */
    public static @Nullable Service of(int id) {
        for (Service each : values()) {
            if (each.id == id) {
                return each;
            }
        }
        return null;
    }

    /** Returns its number: the match bits of its requests. */
    public int id() {
        return id;
    }

    /** Returns the type of its requests; that of its replies is one more. */
    public int requestType() {
        return requestType;
    }

    /** Tells whether it is a test. */
    public boolean isTest() {
        return id > FIRST_TEST;
    }

    /** Returns the portal of its requests. */
    public int portal() {
        return isTest() ? TEST_PORTAL : FRAMEWORK_PORTAL;
    }

    /** Returns the layout of the body of a request. */
    StructLayout requestLayout() {
        return switch (this) {
            case DEBUG, REMOVE_SESSION, STAT -> SessionRequest.LAYOUT;
            case MAKE_SESSION -> MakeSession.LAYOUT;
            case BATCH -> BatchRequest.LAYOUT;
            case TEST -> TestRequest.LAYOUT;
            case JOIN -> JoinRequest.LAYOUT;
            case BRW -> BrwRequest.LAYOUT;
            case PING -> PingRequest.LAYOUT;
        };
    }

    /** Returns the layout of the body of a reply. */
    StructLayout replyLayout() {
        return switch (this) {
            case DEBUG -> DebugReply.LAYOUT;
            case MAKE_SESSION, JOIN -> WelcomeReply.LAYOUT;
            case REMOVE_SESSION, TEST -> SessionReply.LAYOUT;
            case BATCH -> BatchReply.LAYOUT;
            case STAT -> StatReply.LAYOUT;
            case BRW -> StatusReply.LAYOUT;
            case PING -> PingTestReply.LAYOUT;
        };
    }

    /** Reads the body of a request. */
    Request readRequest(MemorySegment from, long at) {
        return switch (this) {
            case DEBUG, REMOVE_SESSION, STAT -> SessionRequest.read(from, at);
            case MAKE_SESSION -> MakeSession.read(from, at);
            case BATCH -> BatchRequest.read(from, at);
            case TEST -> TestRequest.read(from, at);
            case JOIN -> JoinRequest.read(from, at);
            case BRW -> BrwRequest.read(from, at);
            case PING -> PingRequest.read(from, at);
        };
    }

    /** Reads the body of a reply. */
    Reply readReply(MemorySegment from, long at) {
        return switch (this) {
            case DEBUG -> DebugReply.read(from, at);
            case MAKE_SESSION, JOIN -> WelcomeReply.read(from, at);
            case REMOVE_SESSION, TEST -> SessionReply.read(from, at);
            case BATCH -> BatchReply.read(from, at);
            case STAT -> StatReply.read(from, at);
            case BRW -> StatusReply.read(from, at);
            case PING -> PingTestReply.read(from, at);
        };
    }
}
