package org.railyard.campaign.plan;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * What a campaign runs. Immutable; all that results depend on is in it, and {@link PlanText} takes it to another
 * machine.
 *
 * @param kind what the cases are
 * @param version program and commit that made it: another one may give other results
 * @param parameters short values by name
 * @param inputs whole files by name, as they were when the plan was made
 * @param cases how many cases there are, 1 to {@value #MAX_CASES}
 * @param chunkCases cases of a chunk, 1 to {@value #MAX_CHUNK_CASES}; the last one may have fewer
 */
public record CampaignPlan(
        CampaignKind kind,
        String version,
        SortedMap<String, String> parameters,
        SortedMap<String, String> inputs,
        long cases,
        int chunkCases) {
    /** Most cases. */
    public static final long MAX_CASES = 1_000_000_000L;

    /** Most cases of a chunk: its rows are in memory at once. */
    public static final int MAX_CHUNK_CASES = 10_000;

    /** Most chunks: where each one's rows are is in memory. */
    public static final int MAX_CHUNKS = 1_000_000;

    /** Inputs are files of one folder. */
    private static final Pattern INPUT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /**
     * Copies the maps and checks numbers and names of inputs.
     *
     * @throws ErrnoException EINVAL with what was found and expected
     */
    public CampaignPlan {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
        inputs = Collections.unmodifiableSortedMap(new TreeMap<>(inputs));
        for (String name : inputs.keySet()) {
            if (!INPUT.matcher(name).matches()) {
                throw new ErrnoException(
                        Errno.EINVAL, "an input is called '" + name + "', expected a file name such as topology.net");
            }
        }
        if (cases < 1 || cases > MAX_CASES) {
            throw new ErrnoException(Errno.EINVAL, cases + " cases, expected 1 to " + MAX_CASES);
        }
        if (chunkCases < 1 || chunkCases > MAX_CHUNK_CASES) {
            throw new ErrnoException(
                    Errno.EINVAL, "chunks of " + chunkCases + " cases, expected 1 to " + MAX_CHUNK_CASES);
        }
        if ((cases + chunkCases - 1) / chunkCases > MAX_CHUNKS) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "%d cases in chunks of %d are more than %d chunks; take larger chunks"
                            .formatted(cases, chunkCases, MAX_CHUNKS));
        }
    }

    /**
     * Returns the size of chunks where nobody chose one.
     *
     * @param usual what is usual for the kind
     */
    public static int chunkCases(long cases, int usual) {
        return Math.clamp((cases + MAX_CHUNKS - 1) / MAX_CHUNKS, usual, MAX_CHUNK_CASES);
    }

    /** Returns how many chunks there are. */
    public int chunks() {
        return (int) ((cases + chunkCases - 1) / chunkCases);
    }

    /** Returns a chunk by its number. */
    public CaseChunk chunk(int index) {
        long first = (long) index * chunkCases;
        return new CaseChunk(index, first, (int) Math.min(chunkCases, cases - first));
    }

    /**
     * Returns a parameter.
     *
     * @throws ErrnoException EINVAL if it is not there
     */
    public String parameter(String name) {
        return required(parameters, name, "parameter");
    }

    /**
     * Returns a parameter that is a number.
     *
     * @throws ErrnoException EINVAL if it is not there, or not from least to most
     */
    public long number(String name, long least, long most) {
        String text = parameter(name);
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new ErrnoException(Errno.EINVAL, "%s: found '%s', expected %d to %d".formatted(name, text, least, most));
    }

    /**
     * Returns an input.
     *
     * @throws ErrnoException EINVAL if it is not there
     */
    public String input(String name) {
        return required(inputs, name, "input");
    }

    private static String required(Map<String, String> map, String name, String what) {
        String value = map.get(name);
        if (value == null) {
            throw new ErrnoException(Errno.EINVAL, "the plan of the campaign has no " + what + " '" + name + "'");
        }
        return value;
    }

    /** Returns a hash of all that results depend on, 64 hexadecimal digits. */
    public String identity() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            add(digest, kind.text(), version, Long.toString(cases), Integer.toString(chunkCases));
            parameters.forEach((name, value) -> add(digest, "parameter", name, value));
            inputs.forEach((name, value) -> add(digest, "input", name, value));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void add(MessageDigest digest, String... words) {
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
    }
}
