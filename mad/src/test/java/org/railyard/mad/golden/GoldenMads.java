package org.railyard.mad.golden;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.text.MadLines;
import org.railyard.mad.wire.Mad;

/** The MADs of the captures: OpenSM, its clients and the agents of ibsim. */
public final class GoldenMads {
    private static final String FILE = "/org/railyard/mad/golden/mads.txt.gz";

    private GoldenMads() {}

    /** Returns the lines of the file. */
    public static List<String> lines() {
        try (InputStream in = Objects.requireNonNull(GoldenMads.class.getResourceAsStream(FILE), FILE);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.US_ASCII))) {
            return lines.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the MADs in the order of the lines. */
    public static List<Mad> all() {
        List<Mad> all = new ArrayList<>();
        for (String line : lines()) {
            try {
                MadLines.read(line).ifPresent(all::add);
            } catch (WireFormatException e) {
                throw new IllegalStateException(line, e);
            }
        }
        return all;
    }
}
