package org.railyard.mad.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What a MAD asks for; together with the response bit it is one byte on the wire (spec 40 §1). */
public enum MadMethod {
    /** Reads an attribute. */
    GET(0x01, "Get"),
    /** Writes an attribute. */
    SET(0x02, "Set"),
    /** An agent tells the SM of an event. */
    TRAP(0x05, "Trap"),
    /** The SA tells a subscriber of an event. */
    REPORT(0x06, "Report"),
    /** The SM has seen a trap. Has no answer, and its response bit is 0. */
    TRAP_REPRESS(0x07, "TrapRepress"),
    /** Asks for all records that match. */
    GET_TABLE(0x12, "GetTable"),
    /** Asks for the path of a packet. */
    GET_TRACE_TABLE(0x13, "GetTraceTable"),
    /** Asks with a request that has several segments. */
    GET_MULTI(0x14, "GetMulti"),
    /** Removes a record. */
    DELETE(0x15, "Delete");

    /** The bit that a response has beside its method; GetResp answers Get and Set. */
    public static final int RESPONSE_BIT = 0x80;

    private static final List<Optional<MadMethod>> BY_CODE = byCode();

    private final int code;
    private final String text;

    MadMethod(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** Returns the number on the wire, without response bit. */
    public int code() {
        return code;
    }

    /** Returns the name as the architecture writes it. */
    public String text() {
        return text;
    }

    /** Returns the method that answers this one; GetResp for Get and Set. */
    public MadMethod answer() {
        return this == SET ? GET : this;
    }

    /** Returns the number of the method that answers the one with a number; the same if that is none of ours. */
    public static int answerTo(int code) {
        return code == SET.code ? GET.code : code;
    }

    private static List<Optional<MadMethod>> byCode() {
        List<Optional<MadMethod>> all = new ArrayList<>(Collections.nCopies(RESPONSE_BIT, Optional.empty()));
        for (MadMethod method : values()) {
            all.set(method.code, Optional.of(method));
        }
        return List.copyOf(all);
    }

    /** Returns the method with a number, if there is one. */
    public static Optional<MadMethod> ofCode(int code) {
        return code >= 0 && code < RESPONSE_BIT ? BY_CODE.get(code) : Optional.empty();
    }
}
