package org.railyard.bench.sm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVM as launchers start it for a subnet manager. */
final class LaunchedJvm {
    private static final String CACHE = "-XX:AOTCache=";

    private LaunchedJvm() {}

    /**
     * Returns a command with the options of that JVM.
     *
     * @param java the program
     * @param words how this JVM was started, from the first option to the main class
     */
    static List<String> command(String java, List<String> words) {
        List<String> command = new ArrayList<>(List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:Tier3InvocationThreshold=30",
                "-XX:Tier3MinInvocationThreshold=20",
                "-XX:Tier3CompileThreshold=200",
                "-XX:Tier3BackEdgeThreshold=2000",
                "-Xmn64m",
                "-XX:MaxTenuringThreshold=0"));
        words.stream().map(LaunchedJvm::ownCache).forEach(command::add);
        return command;
    }

    /** Names the cache of the subnet manager, where there is one beside that of all commands. */
    private static String ownCache(String word) {
        if (!word.startsWith(CACHE)) {
            return word;
        }
        String own = word.substring(CACHE.length()).replaceFirst("[.]aot$", "-sm.aot");
        return Files.isReadable(Path.of(own)) ? CACHE + own : word;
    }
}
