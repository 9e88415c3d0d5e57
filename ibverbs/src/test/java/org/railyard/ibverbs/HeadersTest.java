package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsFile;
import org.railyard.testkit.Program;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.WorkStatus;

/** Layouts and numbers are those of the headers that are installed: a program in C prints them. */
@NeedsCommand("gcc")
@NeedsFile({HeadersTest.VERBS, "/usr/include/rdma/rdma_cma.h"})
final class HeadersTest {
    static final String VERBS = "/usr/include/infiniband/verbs.h";

    /** What only newer headers have. */
    private static final String SPEED_CHANGE = "IBV_EVENT_DEVICE_SPEED_CHANGE";

    /** Sizes that may differ: of what the library writes, in room that is larger, or of what is only looked at. */
    private static final Set<String> AT_MOST = Set.of("PORT_ATTR");

    @TempDir
    Path folder;

    /** Returns the lines of one kind, without it. */
    private List<String[]> printed(String kind) throws IOException {
        Path program = folder.resolve("headers");
        if (Files.notExists(program)) {
            Path source = folder.resolve("headers.c");
            try (var stream = Objects.requireNonNull(HeadersTest.class.getResourceAsStream("headers.c"))) {
                Files.copy(stream, source);
            }
            List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Werror", "-o", program.toString()));
            if (Files.readString(Path.of(VERBS)).contains(SPEED_CHANGE)) {
                command.add("-DWITH_SPEED_CHANGE");
            }
            command.add(source.toString());
            Program.of(command).run();
        }
        return Program.of(program.toString())
                .run()
                .lines()
                .filter(line -> line.startsWith(kind + " "))
                .map(line -> line.substring(kind.length() + 1).split(" "))
                .toList();
    }

    private Map<String, Long> named(String kind) throws IOException {
        Map<String, Long> all = new TreeMap<>();
        for (String[] line : printed(kind)) {
            all.put(line[0], Long.valueOf(line[1]));
        }
        return all;
    }

    private static Map<String, Long> constants(Class<?> in) throws IllegalAccessException {
        Map<String, Long> all = new TreeMap<>();
        for (Field field : in.getFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                all.put(field.getName(), ((Number) Objects.requireNonNull(field.get(null))).longValue());
            }
        }
        return all;
    }

    @Test
    @Requirement("ibv-010")
    void sizesAndOffsetsAreThoseOfTheHeaders() throws Exception {
        Map<String, Long> headers = named("layout");
        Map<String, Long> ours = constants(VerbsLayout.class);
        assertThat(ours.remove("SPARE")).isEqualTo(64);
        assertThat(headers.remove("SMALLEST_EXTENSION")).isGreaterThanOrEqualTo(NativeCards.SMALLEST_EXTENSION);
        for (String name : AT_MOST) {
            assertThat(headers.remove(name))
                    .as(name)
                    .isLessThanOrEqualTo(Objects.requireNonNull(ours.remove(name)) + VerbsLayout.SPARE);
        }
        assertThat(headers).containsExactlyInAnyOrderEntriesOf(ours);
    }

    @Test
    @Requirement("ibv-010")
    void numbersAreThoseOfTheHeaders() throws Exception {
        Map<String, Long> headers = named("number");
        Map<String, Long> ours = constants(VerbsNumbers.class);
        ours.putAll(constants(Access.class));
        Set<String> onlyNewer = new TreeSet<>(ours.keySet());
        onlyNewer.removeAll(headers.keySet());
        assertThat(onlyNewer).isSubsetOf("ASYNC_SPEED_CHANGE");
        ours.keySet().removeAll(onlyNewer);
        assertThat(headers).containsExactlyInAnyOrderEntriesOf(ours);
    }

    @Test
    @Requirement("ibv-010")
    void statusesRatesAndMtusAreThoseOfTheHeaders() throws Exception {
        List<String[]> statuses = printed("status");
        for (String[] line : statuses) {
            assertThat(WorkStatus.ofCode(Integer.parseInt(line[1]))).hasToString(line[0]);
        }
        assertThat(statuses.stream().map(line -> line[0]).distinct()).hasSize(WorkStatus.values().length);
        List<String[]> rates = printed("rate");
        for (String[] line : rates) {
            assertThat(PathRates.of(Integer.parseInt(line[1])))
                    .as("rate %s", line[1])
                    .isEqualTo(Long.parseLong(line[0]));
        }
        assertThat(rates).hasSizeGreaterThan(20);
        List<String[]> mtus = printed("mtu");
        for (String[] line : mtus) {
            assertThat(PortFacts.mtu(Integer.parseInt(line[1]))).isEqualTo(Integer.parseInt(line[0]));
        }
        assertThat(mtus).hasSize(5);
    }

    @Test
    @Requirement("ibv-011")
    void whatCWritesHasRoomBehindIt() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment structure = VerbsMemory.structure(arena, VerbsLayout.PORT_ATTR);
            assertThat(structure.byteSize()).isEqualTo(VerbsLayout.PORT_ATTR + 64);
            assertThat(structure.toArray(ValueLayout.JAVA_BYTE)).containsOnly((byte) 0);
        }
        // All others are made so too, but for those that C reads only, and for pollfd, which is the kernel's.
        Path root = Path.of("src/main/java");
        List<String> otherwise = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                for (String statement : Files.readString(file).split(";")) {
                    if (statement.contains(".allocate(") && statement.contains("VerbsLayout.")) {
                        otherwise.add(file.getFileName() + ":"
                                + Arrays.stream(statement.split("VerbsLayout\\."))
                                        .skip(1)
                                        .map(rest -> rest.replaceAll("(?s)\\W.*", ""))
                                        .toList());
                    }
                }
            }
        }
        assertThat(otherwise)
                .containsExactlyInAnyOrder(
                        "AsyncReader.java:[POLLFD]",
                        "IbvLoop.java:[POLLFD]",
                        "PostBlock.java:[SEND_WR]",
                        "PostBlock.java:[SGE]",
                        "PostBlock.java:[RECV_WR, SGE]",
                        "VerbsMemory.java:[SPARE]");
    }
}
