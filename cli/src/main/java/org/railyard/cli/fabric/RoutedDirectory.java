package org.railyard.cli.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.MulticastDump;
import org.railyard.fabric.format.PathSlFile;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.SlVlFile;
import org.railyard.fabric.format.SubnetList;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.format.UnicastDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;

/** A directory with the dumps of a routed fabric. It appears whole or not at all: it is filled under another name first. */
final class RoutedDirectory {
    /** Most table entries that are written: with more, a dump as text is longer than a string can be. */
    static final long MAX_ENTRIES = 24_000_000;

    private RoutedDirectory() {}

    /**
     * Refuses a fabric whose dumps would be too long.
     *
     * @throws FabricInputException if there are more than {@value #MAX_ENTRIES} entries, switches times LIDs
     */
    static void requireWritable(Fabric fabric) {
        long entries = (long) fabric.switchCount() * fabric.maxLid();
        if (entries > MAX_ENTRIES) {
            throw new FabricInputException(
                    "%d switches with %d LIDs have %d table entries; dumps as text are written for at most %d"
                            .formatted(fabric.switchCount(), fabric.maxLid(), entries, MAX_ENTRIES));
        }
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

    /** Writes the dumps. */
    static void write(Path directory, Fabric fabric, Routing routing, Optional<TorusDump> places) throws IOException {
        Map<String, Supplier<String>> files = new LinkedHashMap<>();
        files.put("guid2lid", () -> Guid2Lid.of(fabric).text());
        files.put("opensm-subnet.lst", () -> new SubnetList(fabric, Fabric.NONE).text());
        files.put("opensm-lfts.dump", () -> LftsDump.text(fabric, routing.forwarding()));
        files.put("opensm-sl2vl.dump", () -> Sl2VlDump.text(fabric, routing.slToVl()));
        files.put(
                "opensm.fdbs",
                () -> UnicastDump.of(fabric, routing.forwarding()).text());
        files.put("opensm.mcfdbs", () -> MulticastDump.text(fabric, routing.multicast()));
        files.put("ibdm.psl", () -> PathSlFile.text(fabric, routing.sls(), 0));
        files.put("ibdm.slvl", () -> SlVlFile.text(fabric, routing.slToVl()));
        places.ifPresent(dump -> files.put("opensm-torus.dump", dump::text));

        Path target = directory.toAbsolutePath().normalize();
        Path parent = target.getParent();
        if (parent == null) {
            throw new FabricInputException(directory + ": is the root directory");
        }
        Files.createDirectories(parent);
        Path growing = Files.createDirectory(parent.resolve(
                "." + target.getFileName() + "." + ProcessHandle.current().pid()));
        try {
            for (Map.Entry<String, Supplier<String>> file : files.entrySet()) {
                Files.writeString(
                        growing.resolve(file.getKey()), file.getValue().get(), StandardCharsets.ISO_8859_1);
            }
            Files.deleteIfExists(target);
            Files.move(growing, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            discard(growing, files.keySet());
        }
    }

    private static void discard(Path growing, Iterable<String> names) throws IOException {
        if (Files.exists(growing)) {
            for (String name : names) {
                Files.deleteIfExists(growing.resolve(name));
            }
            Files.delete(growing);
        }
    }
}
