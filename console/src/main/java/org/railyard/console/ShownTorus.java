package org.railyard.console;

import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.ProvenRouting;

/**
 * A torus that a console shows.
 *
 * @param name to show, such as that of its file
 * @param fabric with LIDs
 * @param layout coordinates of its switches
 * @param routing routes it, and what failures leave of it
 */
public record ShownTorus(String name, Fabric fabric, TorusLayout layout, ProvenRouting routing) {}
