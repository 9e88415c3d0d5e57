package org.railyard.campaign.plan;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** What the cases of a campaign are. */
public enum CampaignKind {
    /** Scenarios of the lab, each with many seeds. */
    LAB("lab"),
    /** Switches and cables of a fabric that fail together. */
    FAILURES("failures"),
    /** Loads of packets on a fabric, each with many seeds. */
    LOAD("load"),
    /** Cables that are pulled while a subnet manager manages a simulated subnet. */
    SM("sm");

    private final String text;

    CampaignKind(String text) {
        this.text = text;
    }

    /** Returns the word for it, on the command line and in files. */
    public String text() {
        return text;
    }

    /**
     * Returns how files are read that are inputs of such a plan, and written: names of nodes in a fabric are bytes,
     * each a character of a plan, whatever a terminal makes of them.
     */
    public Charset inputCharset() {
        return this == LAB ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    }

    /** Returns the kind of a word; empty if there is none. */
    public static Optional<CampaignKind> of(String text) {
        return Stream.of(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }
}
