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
import java.util.function.Consumer;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.text.FileReason;
import org.railyard.fabric.format.FormatException;
import org.railyard.sm.sa.SaStore;
import org.railyard.sm.sa.SubnetAdministration;

/**
 * Groups, services, subscriptions and alias GUIDs in a file that only its owner may read: keys of services are in it.
 * What a master has not written for an hour is out of date.
 */
final class SaFile implements SaStore {
    /** Largest file: far more than the limits of what is held. */
    private static final int MAX_BYTES = 1 << 28;

    private static final Duration RECENT = Duration.ofHours(1);

    private final Path file;
    private final KeptText text;
    private final InstantSource clock;

    SaFile(Path file, InstantSource clock) {
        this.file = file;
        // Every byte is a character: what is none that we wrote is told with its line and column.
        this.text = new KeptText(file, MAX_BYTES, StandardCharsets.ISO_8859_1);
        this.clock = clock;
    }

    /**
     * Opens one, which need not be there yet. One that is damaged is moved out of the way: a subnet is better without
     * what was kept than without a subnet manager.
     *
     * @param warned hears of that
     * @throws FabricInputException if it can not be read, its folder is not there, or it was not written by a subnet
     *     manager and would be lost
     */
    static SaFile open(Path file, InstantSource clock, Consumer<String> warned) {
        SaFile opened = new SaFile(file, clock);
        try {
            String kept = opened.text.load();
            if (!kept.isEmpty()) {
                SubnetAdministration.check(kept);
            }
            return opened;
        } catch (FormatException e) {
            if (e.line() == 1) {
                throw new FabricInputException(
                        e.at(file.toString()) + "; it is not written over: name another file, or remove this one", e);
            }
            warned.accept(e.at(file.toString()) + "; it is not used, and now named " + moveAside(file));
            return opened;
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be read: " + FileReason.ofReading(e), e);
        }
    }

    private static Path moveAside(Path file) {
        try {
            return Files.move(
                    file, file.resolveSibling(file.getFileName() + ".damaged"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new FabricInputException(file + ": cannot be renamed: " + FileReason.ofWriting(file, e), e);
        }
    }

    @Override
    public String load() {
        try {
            requireRecent();
            return text.load();
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read: " + FileReason.ofReading(e), e);
        }
    }

    private void requireRecent() throws IOException {
        if (Files.exists(file)) {
            Instant written = Files.getLastModifiedTime(file).toInstant();
            if (written.isBefore(clock.instant().minus(RECENT))) {
                String why = file + ": it is of " + written + ", more than an hour old";
                throw new UncheckedIOException(why, new IOException(why));
            }
        }
    }

    @Override
    public void save(String newText) {
        text.saveForOwner(newText);
    }
}
