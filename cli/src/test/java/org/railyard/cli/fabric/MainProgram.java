package org.railyard.cli.fabric;

import java.io.PrintWriter;
import org.railyard.cli.Main;

/** The commands in a process of their own. */
final class MainProgram {
    private MainProgram() {}

    /** Runs a command line. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
        System.exit(Main.run(out, out, arguments));
    }
}
