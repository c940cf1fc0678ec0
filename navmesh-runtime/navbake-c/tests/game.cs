/* The game of game.c in C#. */
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Navbake;

static class Game
{
    const int Guards = 20;
    const string Tree = @"(keys: {""home"": vec2}, root: repeat(child: selector(children: [
        sequence(name: ""fight"", children: [
            task(task: ""target_within"", params: {""distance"": 200.0}),
            task(task: ""pursue"", params: {""range"": 20.0, ""seconds"": 4.0}),
            with_token(pool: ""melee"", child: task(task: ""cue"", params: {""cue"": ""bite""})),
            task(task: ""wait"", params: {""seconds"": 0.5}),
        ]),
        sequence(name: ""go home"", children: [
            task(task: ""head_for"", params: {""key"": ""home""}),
            task(task: ""start_navigation""),
            task(task: ""wait_for_at_destination""),
            task(task: ""wait"", params: {""seconds"": 0.5}),
        ]),
        task(task: ""wait"", params: {""seconds"": 0.5}),
    ])))";

    class Saved
    {
        public NbVec2 Position;
        public string State, Running;
    }

    class Guard
    {
        public NbAgent Agent;
        public NbTreeState State;
        public NbTick Tick;
    }

    static NbMesh mesh;
    static NbNav nav;
    static NbTree tree;
    static NbPools pools;
    static readonly List<Guard> guards = new List<Guard>();
    static long levelLength;
    static int bites;

    static void Expect(bool condition, string what)
    {
        if (!condition) throw new Exception("not true: " + what);
    }

    static void LoadLevel()
    {
        levelLength = new FileInfo("level.navmesh").Length;
        mesh = NbMesh.LoadFile("level.navmesh");
    }

    static void Start(Saved[] saved)
    {
        uint layer = mesh.Layer("walker");
        uint[] spawns = mesh.FindMarkers(NbMarkerKind.Spawn);
        nav = NbNav.New(mesh);
        pools = NbPools.New(mesh);
        pools.AddTokens("melee", 1);
        for (int i = 0; i < Guards; i++)
        {
            NbVec2 home = mesh.Marker(spawns[i % spawns.Length]).Feet;
            var guard = new Guard { Agent = NbAgent.New(mesh, layer, saved?[i].Position ?? home) };
            guard.Agent.SetAllowPartialPath(true);
            guard.State = NbTreeState.New(tree, pools);
            if (saved == null) guard.State.SetPosition("home", home);
            else guard.State.Restore(saved[i].State);
            guard.Tick = new NbTick { Agent = guard.Agent, Nav = nav, Seconds = 1f / 60f, EyeHeight = 16, SightAgent = "shot" };
            guard.Tick.Cue = (name, call) =>
            {
                if (name == "bite" && call == NbCall.Begin) bites++;
                return NbStatus.Success;
            };
            guards.Add(guard);
        }
    }

    static void Stop()
    {
        foreach (var guard in guards)
        {
            guard.State.Dispose();
            guard.Agent.Dispose();
        }
        guards.Clear();
        pools.Dispose();
        nav.Dispose();
    }

    static void Play(string when)
    {
        bites = 0;
        for (int frame = 0; frame < 600; frame++)
        {
            if (frame % 30 == 0 && new FileInfo("level.navmesh").Length != levelLength)
            {
                mesh.Dispose();
                LoadLevel();
                nav.SetMesh(mesh);
            }
            foreach (var guard in guards)
            {
                guard.Tick.Target = new NbVec2(230 + 190 * (float)Math.Sin(frame / 200f), 352);
                guard.State.Tick(guard.Tick);
                NbPose pose = guard.Agent.Step(nav, guard.Tick.Seconds);
                Expect(pose.Activity != NbActivity.Stranded, "every guard has a place");
            }
        }
        Expect(bites > 0, "guards bite the player " + when);
        Console.WriteLine(bites + " bites " + when);
    }

    static void Main()
    {
        LoadLevel();
        tree = NbTree.Load(NbTasks.New(), Tree);
        Start(null);
        Play("at first");

        // The designer saves the level.
        var ledge = new NbVec2(624, 128);
        mesh.LayerFloorEnds(mesh.Layer("walker"), ledge, out _, out NbVec2 before);
        File.Copy("edited.navmesh", "level.navmesh", true);
        Play("in the edited level");
        mesh.LayerFloorEnds(mesh.Layer("walker"), ledge, out _, out NbVec2 after);
        Expect(after.X < before.X - 20, "the ledge is shorter");

        Stop();
        Start(null);
        Play("after a restart");

        var saved = guards.Select(guard => new Saved
        {
            Position = guard.Agent.Pose().Position,
            State = guard.State.Save(),
            Running = guard.State.Running(),
        }).ToArray();
        Stop();
        Start(saved);
        for (int i = 0; i < Guards; i++)
            Expect(guards[i].State.Running() == saved[i].Running, "a guard does what it did");
        Play("after loading");
        Stop();
        Console.WriteLine("the game is won");
    }
}
