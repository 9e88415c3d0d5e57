package org.railyard.lab.observe;

/** What an application asks of a stack. */
public enum CallKind {
    /** PUT with ACK. */
    PUT("put"),
    /** GET with REPLY. */
    GET("get"),
    /** PUT without ACK. */
    BARE_PUT("bare-put");

    private final String text;

    CallKind(String text) {
        this.text = text;
    }

    /** Returns its name in scenarios. */
    public String text() {
        return text;
    }

    /** Tells whether the target answers. */
    public boolean isAnswered() {
        return this != BARE_PUT;
    }
}
