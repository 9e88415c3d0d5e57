package org.railyard.cli.sm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.text.FileReason;
import org.railyard.fabric.format.FormatException;
import org.railyard.sm.sa.SubnetAdministration;

/**
 * Groups, services, subscriptions and alias GUIDs in a file that only its owner may read: keys of services are in it.
 * What a master has not written for an hour is out of date.
 */
final class SaFile {
    /** Largest file: far more than the limits of what is held. */
    private static final int MAX_BYTES = 1 << 28;

    private static final Duration RECENT = Duration.ofHours(1);

    private final Path file;
    private final KeptText text;
    private final InstantSource clock;

    /** What was wrong with it when it was opened, and it is still in its place. */
    private @Nullable FormatException damage;

    SaFile(Path file, InstantSource clock) {
        this.file = file;
        // Every byte is a character: what is none that we wrote is told with its line and column.
        this.text = new KeptText(file, MAX_BYTES, StandardCharsets.ISO_8859_1);
        this.clock = clock;
    }

    /**
     * Opens one, which need not be there yet. Nothing is changed; for one that is damaged see {@link
     * #moveDamagedAside}.
     *
     * @throws FabricInputException if it can not be read or written, its folder is not there, or it was not written by
     *     a subnet manager and would be lost
     */
    static SaFile open(Path file, InstantSource clock) {
        SaFile opened = new SaFile(file, clock);
        try {
            String kept = opened.text.load();
            if (!kept.isEmpty()) {
                SubnetAdministration.check(kept);
            }
        } catch (FormatException e) {
            if (e.line() == 1) {
                throw new FabricInputException(
                        e.at(file.toString()) + "; it is not written over: name another file, or remove this one", e);
            }
            opened.damage = e;
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be read: " + FileReason.ofReading(e), e);
        }
        try {
            opened.text.requireWritable();
        } catch (UncheckedIOException e) {
            throw new FabricInputException(String.valueOf(e.getMessage()), e);
        }
        return opened;
    }

    /** Returns the file. */
    Path file() {
        return file;
    }

    /**
     * Renames the file if it was damaged when it was opened: a subnet is better without what was kept than without a
     * subnet manager.
     *
     * @param warned hears of that
     * @throws FabricInputException if it can not be renamed
     */
    void moveDamagedAside(Consumer<String> warned) {
        FormatException what = damage;
        if (what == null) {
            return;
        }
        Path aside = file.resolveSibling(file.getFileName() + ".damaged");
        try {
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be renamed: " + FileReason.ofWriting(file, e), e);
        }
        damage = null;
        warned.accept(what.at(file.toString()) + "; it is not used, and now named " + aside);
    }

    /**
     * Returns what is kept, "" if there is no file.
     *
     * @throws UncheckedIOException if it can not be read, is empty, or more than an hour old
     */
    String load() {
        try {
            requireRecent();
            String kept = text.load();
            if (kept.isEmpty() && Files.exists(file)) {
                // None that was written to its end is.
                throw refused("it is empty");
            }
            return kept;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read: " + FileReason.ofReading(e), e);
        }
    }

    private void requireRecent() throws IOException {
        if (Files.exists(file)) {
            Instant written = Files.getLastModifiedTime(file).toInstant();
            if (written.isBefore(clock.instant().minus(RECENT))) {
                throw refused("it is of " + written + ", more than an hour old");
            }
        }
    }

    private UncheckedIOException refused(String why) {
        return new UncheckedIOException(file + ": " + why, new IOException(why));
    }

    /**
     * Replaces what is kept.
     *
     * @param isWanted asked when all is on the disk and the file is to be replaced
     * @return false if it was not wanted then
     * @throws UncheckedIOException if it can not be written; what was kept stays
     */
    boolean save(String newText, BooleanSupplier isWanted) {
        return text.saveForOwner(newText, isWanted);
    }
}
