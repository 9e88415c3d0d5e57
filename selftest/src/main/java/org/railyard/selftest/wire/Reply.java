package org.railyard.selftest.wire;

/** What a node answers. */
public sealed interface Reply extends Body
        permits BatchReply, DebugReply, PingTestReply, SessionReply, StatReply, StatusReply, WelcomeReply {
    /** Returns 0, or a positive errno. */
    int status();
}
