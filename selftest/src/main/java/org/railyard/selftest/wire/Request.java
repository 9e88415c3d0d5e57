package org.railyard.selftest.wire;

/** What one node asks another. */
public sealed interface Request extends Body
        permits BatchRequest, BrwRequest, JoinRequest, MakeSession, PingRequest, SessionRequest, TestRequest {
    /** Returns the match bits that the reply is sent to. */
    long replyId();

    /** Returns the match bits of the memory for bulk data; 0 if there is none. */
    default long bulkId() {
        return 0;
    }
}
