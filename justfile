# Short names for the commands of this repository.

# List these commands
default:
    @just --list

# Run all checks that a change must pass
ci:
    .ci/run

# Run all tests
test *ARGS:
    cargo test {{ARGS}}

# Run the property tests with the seed SEED, on FACTOR times as many cases
soak SEED FACTOR *ARGS:
    PROPTEST_RNG_SEED={{SEED}} SOAK={{FACTOR}} cargo test --workspace {{ARGS}}

# Check formatting and lints
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# Build the documentation of all crates
doc *ARGS:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace {{ARGS}}

# Update snapshots; review them with `git diff`
snapshots:
    INSTA_UPDATE=always cargo test --workspace

# Bake a level
bake LEVEL *ARGS:
    cargo run --release -p navbake -- bake {{LEVEL}} {{ARGS}}

# Bake a level and draw it: target/level.png
draw LEVEL *ARGS:
    cargo run --release -p navbake -- bake {{LEVEL}} -o target/level.navmesh
    cargo run --release -p navbake -- render target/level.navmesh -o target/level.png {{ARGS}}

# Run the example in which a grunt chases a player, in the terminal
chase LEVEL:
    cargo run --release -p navbake -- bake {{LEVEL}} -o target/level.navmesh
    cargo run --release -p navmesh-runtime --example chase -- target/level.navmesh

# Draw the pictures of the documentation
pictures:
    cargo run --release -p navbake -- bake fixtures/ledges.tmx -o target/ledges.navmesh
    cargo run --release -p navbake -- render target/ledges.navmesh -o docs/img/ledges.png --path 56,272:616,160
    cargo run --release -p navbake -- simulate target/ledges.navmesh --agent ground --from 56,272 --to 616,160 --stun 2.9:0.5 --then 5.65:420,272 --then 7.6:616,160 --sample 1 -o docs/img/chase.gif
    cargo run --release -p navbake -- bake fixtures/movement.tmx --config fixtures/movement.toml -o target/movement.navmesh
    for agent in diver fireman gecko acrobat; do cargo run --release -p navbake -- render target/movement.navmesh --agent $agent -o docs/img/movement-$agent.png; done
    cargo run --release -p navbake -- bake fixtures/portals.tmx -o target/portals.navmesh
    cargo run --release -p navbake -- render target/portals.navmesh -o docs/img/portals.png --path 56,208:640,208

# Bake the levels of the runtime's examples and of the demo of the Bevy plugin
arena-asset:
    for level in arena rooms; do cargo run -p navbake -- bake fixtures/$level.tmx --config fixtures/arena.toml -o navmesh-runtime/games/levels/$level.navmesh; done
    cp navmesh-runtime/games/levels/arena.navmesh navmesh-runtime/bevy_navbake/demo/assets/level.navmesh
    cargo run -p navbake -- bake fixtures/dungeon.tmx --config fixtures/dungeon.toml -o navmesh-runtime/games/levels/dungeon.navmesh
    cargo run -p navbake -- bake fixtures/contest.tmx --config fixtures/contest.toml -o navmesh-runtime/games/levels/contest.navmesh
    cargo run -p navbake -- bake fixtures/portals.tmx -o navmesh-runtime/bevy_navbake/demo/assets/portals.navmesh

# Draw the animation of the example `arena`
arena:
    cargo run --release -p navmesh-games --features pictures --bin arena -- docs/img/arena.gif

# Play the example `roguelike` in the terminal
roguelike:
    cargo run -p navmesh-games --bin roguelike

# Play the matches of the example `contest` and print the table of its guide
contest *ARGS:
    cargo run --release -p navmesh-games --bin contest -- {{ARGS}}

# Print a table of what each kind of enemy of the example `arena` does
enemies *ARGS:
    cargo run --release -p navmesh-games --bin enemies -- {{ARGS}}

# Draw the animation of the example `contest`
contest-film:
    cargo run --release -p navmesh-games --features pictures --bin contest-film -- docs/img/contest.gif

# Play against the enemies of the example `arena` in a window
playground *LEVEL:
    cargo run --release -p navmesh-games --features window --bin playground -- {{LEVEL}}

# Play the demo of the Bevy plugin in a window: platformer, or `just bevy chase`
bevy PROGRAM="platformer":
    cd navmesh-runtime/bevy_navbake && cargo run --target-dir ../../target/bevy -p bevy_navbake_demo --bin {{PROGRAM}}

# Measure the bake of a hundred levels: all, all up to date, one edited
hundred *ARGS:
    cargo bench -p navbake-benches --bench hundred -- {{ARGS}}

# Run all benchmarks
bench *ARGS:
    cargo bench --workspace {{ARGS}}
