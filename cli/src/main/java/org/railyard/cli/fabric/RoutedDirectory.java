package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.MulticastDump;
import org.railyard.fabric.format.PathSlFile;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.SlVlFile;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.TextSink;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.format.UnicastDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;

/**
 * A directory with the dumps of a routed fabric. It appears whole or not at all: it is filled under another name first.
 */
final class RoutedDirectory {
    /**
     * Most lines of {@code ibdm.psl}, which has one for each CA and LID: some 3 GB. ibdmchk itself takes days for less.
     */
    static final long MAX_PATH_SL_LINES = 100_000_000;

    private static final int BUFFER = 1 << 16;

    private final SubnetList subnet;
    private final Fabric fabric;
    private final Routing routing;
    private final Optional<TorusDump> places;
    private final boolean packed;

    /**
     * Collects what is to be written.
     *
     * @param subnet the fabric and its subnet manager
     * @param packed whether each file is gzipped, and its name ends in .gz
     */
    RoutedDirectory(SubnetList subnet, Routing routing, Optional<TorusDump> places, boolean packed) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.routing = routing;
        this.places = places;
        this.packed = packed;
    }

    /** Packs four times as fast as usual, and a fifth longer. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /** Returns why there will be no {@code ibdm.psl}, empty if there will be one. */
    Optional<String> withoutPathSls() {
        long lines = PathSlFile.maxLines(fabric);
        return lines <= MAX_PATH_SL_LINES
                ? Optional.empty()
                : Optional.of("no ibdm.psl: it would have up to %d lines, more than ibdmchk can use; ".formatted(lines)
                        + "verify takes SLs from --conf FILE or --sl N");
    }

    /**
     * Refuses a directory that would be overwritten.
     *
     * @throws FabricInputException if it exists and is not an empty directory
     */
    static void requireFree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            throw new FabricInputException(directory + ": exists and is no directory");
        }
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent()) {
                throw new FabricInputException(directory + ": is not empty; name a new directory");
            }
        }
    }

    /** What each file holds, by name. */
    private Map<String, Consumer<TextSink>> files() {
        Map<String, Consumer<TextSink>> files = new LinkedHashMap<>();
        files.put("guid2lid", sink -> sink.write(Guid2Lid.of(fabric).text()));
        files.put("opensm-subnet.lst", sink -> sink.write(subnet.text()));
        files.put("opensm-lfts.dump", sink -> LftsDump.write(fabric, routing.forwarding(), sink));
        files.put("opensm-sl2vl.dump", sink -> sink.write(Sl2VlDump.text(fabric, routing.slToVl())));
        files.put("opensm.fdbs", sink -> UnicastDump.write(fabric, routing.forwarding(), sink));
        files.put("opensm.mcfdbs", sink -> sink.write(MulticastDump.text(fabric, routing.multicast())));
        if (withoutPathSls().isEmpty()) {
            files.put("ibdm.psl", sink -> PathSlFile.write(fabric, routing.sls(), 0, sink));
        }
        files.put("ibdm.slvl", sink -> sink.write(SlVlFile.text(fabric, routing.slToVl())));
        places.ifPresent(dump -> files.put("opensm-torus.dump", sink -> sink.write(dump.text())));
        return files;
    }

    /**
     * Writes the dumps.
     *
     * @throws IOException if they cannot be written; the message names the directory, and nothing is left of it
     */
    void write(Path directory) throws IOException {
        try {
            writeWhole(directory);
        } catch (IOException e) {
            throw ResultFile.unwritten(directory, e);
        }
    }

    private void writeWhole(Path directory) throws IOException {
        Path target = directory.toAbsolutePath().normalize();
        Path parent = target.getParent();
        if (parent == null) {
            throw new FabricInputException(directory + ": is the root directory");
        }
        Files.createDirectories(parent);
        Path growing = Files.createDirectory(parent.resolve(
                "." + target.getFileName() + "." + ProcessHandle.current().pid()));
        try {
            for (Map.Entry<String, Consumer<TextSink>> file : files().entrySet()) {
                write(growing.resolve(packed ? file.getKey() + ".gz" : file.getKey()), file.getValue());
            }
            Files.deleteIfExists(target);
            Files.move(growing, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            discard(growing);
        }
    }

    private void write(Path file, Consumer<TextSink> text) throws IOException {
        try (OutputStream raw = Files.newOutputStream(file);
                Writer out = new OutputStreamWriter(packed ? new FastGzip(raw) : raw, StandardCharsets.ISO_8859_1)) {
            text.accept(piece -> {
                try {
                    out.append(piece);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void discard(Path growing) throws IOException {
        if (Files.exists(growing)) {
            List<Path> written;
            try (Stream<Path> entries = Files.list(growing)) {
                written = entries.toList();
            }
            for (Path file : written) {
                Files.delete(file);
            }
            Files.delete(growing);
        }
    }
}
