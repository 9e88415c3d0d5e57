package org.railyard.mad.wire;

import java.util.Map;
import java.util.TreeMap;

/** Status of a response: common codes in the low byte, codes of the SA in the high byte (spec 40 §1). */
public final class MadStatus {
    /** Done. */
    public static final int OK = 0;

    /** Not now; ask again. */
    public static final int BUSY = 0x0001;

    /** Somebody else answers; see ClassPortInfo. */
    public static final int REDIRECT = 0x0002;

    /** Base or class version not supported. */
    public static final int BAD_VERSION = 0x0004;

    /** Method not supported. */
    public static final int BAD_METHOD = 0x0008;

    /** Method not supported for this attribute. */
    public static final int BAD_ATTRIBUTE = 0x000C;

    /** A value in the attribute or the modifier is not valid. */
    public static final int BAD_VALUE = 0x001C;

    /** The SA has no resources for it. */
    public static final int SA_NO_RESOURCES = 0x0100;

    /** The SA finds the request invalid. */
    public static final int SA_INVALID = 0x0200;

    /** The SA has no such record. */
    public static final int SA_NO_RECORDS = 0x0300;

    /** The SA has several records, and Get asks for one. */
    public static final int SA_TOO_MANY = 0x0400;

    /** The SA does not know the GID. */
    public static final int SA_BAD_GID = 0x0500;

    /** The SA needs more components in the request. */
    public static final int SA_FEW_COMPONENTS = 0x0600;

    /** The SA refuses. */
    public static final int SA_DENIED = 0x0700;

    /** The SA suggests another priority. */
    public static final int SA_PRIORITY = 0x0800;

    private static final Map<Integer, String> TEXTS = new TreeMap<>(Map.ofEntries(
            Map.entry(OK, "ok"),
            Map.entry(BUSY, "busy"),
            Map.entry(REDIRECT, "redirect"),
            Map.entry(BAD_VERSION, "bad version"),
            Map.entry(BAD_METHOD, "method not supported"),
            Map.entry(BAD_ATTRIBUTE, "method not supported for this attribute"),
            Map.entry(BAD_VALUE, "invalid value"),
            Map.entry(SA_NO_RESOURCES, "no resources"),
            Map.entry(SA_INVALID, "request invalid"),
            Map.entry(SA_NO_RECORDS, "no records"),
            Map.entry(SA_TOO_MANY, "too many records"),
            Map.entry(SA_BAD_GID, "invalid GID"),
            Map.entry(SA_FEW_COMPONENTS, "insufficient components"),
            Map.entry(SA_DENIED, "denied"),
            Map.entry(SA_PRIORITY, "priority suggested")));

    private MadStatus() {}

    /** Returns what a status means, with its number. */
    public static String text(int status) {
        String text = TEXTS.get(status);
        return "0x%04x".formatted(status) + (text == null ? "" : " (" + text + ")");
    }
}
