package org.railyard.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs, in one process, command lines that a JVM records to start faster next time: which classes it loads, and of the
 * long ones what their methods did, so that they are compiled well at once. The launcher of the source tree runs it
 * after each build.
 */
public final class CacheTraining {
    private CacheTraining() {}

    /**
     * Routes and proves a torus, and brings it up on simulated agents.
     *
     * @param args a folder for files, which is made, and the torus, such as {@code 6x6x6}
     * @throws IOException if the folder can not be made
     */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        for (List<String> line : lines(folder, args[1])) {
            PrintWriter out = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
            int exit = Main.run(out, err, line.toArray(String[]::new));
            if (exit != 0) {
                err.println(String.join(" ", line) + ": ended with " + exit);
                System.exit(exit);
            }
        }
    }

    private static List<List<String>> lines(Path folder, String torus) {
        String net = folder.resolve("net").toString();
        String conf = folder.resolve("torus-2QoS.conf").toString();
        String tables = folder.resolve("tables").toString();
        return List.of(
                List.of("--help"),
                List.of("fabric", "generate", "torus", torus, "--out", net, "--conf", conf),
                List.of("fabric", "route", "--conf", conf, "--out", tables, net),
                List.of("fabric", "verify", tables),
                List.of("sm", "--fabric", net, "--conf", conf));
    }
}
