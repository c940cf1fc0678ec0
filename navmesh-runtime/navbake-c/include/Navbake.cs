/* Navbake.cs: navbake.h for C#, generated from the same source; do not edit.

   An object (NbMesh, NbAgent, ...) has a method for each of its functions. Dispose frees
   it; so does the garbage collector, later. Errors of the library are NbException.
   One call at a time uses an object, on any thread. Positions are world units, those of
   an agent's feet: the bottom centre of its body. Time is in seconds. */
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Navbake
{
    /// <summary>The library.</summary>
    public static class Nb
    {
#if UNITY_IOS && !UNITY_EDITOR
        internal const string Library = "__Internal"; // part of the program
#else
        internal const string Library = "navbake_c";
#endif
        /// <summary>The version of the interface that this file declares.</summary>
        public const uint DeclaredVersion = 5;

        /// <summary>The version of the interface in the library, at least <c>DeclaredVersion</c>.</summary>
        public static uint LibraryVersion => Native.nb_version();

        internal static void Check(NbResult result)
        {
            if (result != NbResult.Ok)
                throw new NbException(result, Marshal.PtrToStringUTF8(Native.nb_error_message()));
        }

        /// Whether a list is longer than its buffer, which then gets its length.
        internal static bool IsLonger<T>(NbResult result, ref T[] buffer, UIntPtr count)
        {
            if (result != NbResult.ErrorBuffer)
            {
                Check(result);
                return false;
            }
            // A text needs a byte for its zero.
            buffer = new T[(int)count + (typeof(T) == typeof(byte) ? 1 : 0)];
            return true;
        }
    }

    /// <summary>An error of the library. Its message says what is wrong.</summary>
    public sealed class NbException : Exception
    {
        /// <summary>What kind of error it is.</summary>
        public readonly NbResult Result;

        internal NbException(NbResult result, string message) : base(message) => Result = result;
    }

    /// <summary>An object of the library.</summary>
    public abstract class NbObject : SafeHandle
    {
        internal NbObject() : base(IntPtr.Zero, true) { }

        /// <inheritdoc/>
        public override bool IsInvalid => handle == IntPtr.Zero;

        internal abstract void Free(IntPtr handle);

        /// <inheritdoc/>
        protected override bool ReleaseHandle()
        {
            Free(handle);
            return true;
        }
    }

    public partial struct NbVec2
    {
        /// <summary>A position, velocity or size.</summary>
        public NbVec2(float x, float y)
        {
            X = x;
            Y = y;
        }
    }

    public sealed partial class NbPools
    {
        internal static readonly NbPools None = new NbPools();
    }

    public sealed partial class NbTree
    {
        /// <summary>Makes a tree from the text of a file, in RON or JSON.</summary>
        public static NbTree Load(NbTasks tasks, string text) => Load(tasks, Encoding.UTF8.GetBytes(text));
    }

    /// <summary>One call of a task of the game.</summary>
    public sealed class NbTaskCall
    {
        readonly IntPtr memory;

        internal NbTaskCall(NbTaskCallRaw raw, NbTreeState state)
        {
            Call = raw.call;
            Seconds = raw.seconds;
            Params = Marshal.PtrToStringUTF8(raw.@params);
            memory = raw.memory;
            State = state;
            Tick = state.Ticked;
        }

        /// <summary>Which call it is.</summary>
        public NbCall Call { get; }
        /// <summary>Seconds since the last tick.</summary>
        public float Seconds { get; }
        /// <summary>The parameters of the task in the tree file, as a JSON object.</summary>
        public string Params { get; }
        /// <summary>The tick that called the task, with its agent and user.</summary>
        public NbTick Tick { get; }
        /// <summary>The state of the tree, for its blackboard.</summary>
        public NbTreeState State { get; }
        /// <summary>A number of the task: 0 when it begins, and kept until it ends.</summary>
        public long Memory
        {
            get => Marshal.ReadInt64(memory);
            set => Marshal.WriteInt64(memory, value);
        }
    }

    public sealed partial class NbTasks
    {
        // Trees may call them as long as the program runs.
        static readonly List<GCHandle> functions = new List<GCHandle>();

        /// <summary>
        /// Adds a task of the game under the name that tree files use, in place of a task of
        /// that name. An exception in it ends the tick, which throws it again.
        /// </summary>
        public void Add(string name, Func<NbTaskCall, NbStatus> function)
        {
            var kept = GCHandle.Alloc(function);
            lock (functions) functions.Add(kept);
            Nb.Check(Native.nb_tasks_add(this, name, NbTreeState.OnTask, GCHandle.ToIntPtr(kept)));
        }
    }

    /// <summary>What one tick of a tree needs. A game keeps one for each enemy.</summary>
    public sealed class NbTick
    {
        /// <summary>The agent.</summary>
        public NbAgent Agent;
        /// <summary>The level.</summary>
        public NbNav Nav;
        /// <summary>Seconds since the last tick, finite and not negative.</summary>
        public float Seconds;
        /// <summary>The feet of the target; null if there is none.</summary>
        public NbVec2? Target;
        /// <summary>Width and height of the target's body; 0 for one as large as the agent.</summary>
        public NbVec2 TargetBody;
        /// <summary>How far above its feet the agent looks from and is seen at.</summary>
        public float EyeHeight;
        /// <summary>The agent in whose layer lines of sight are searched; null for the agent's own.</summary>
        public string SightAgent;
        /// <summary>1 or -1: where the agent looks, if the game turns it; 0 for where it moves.</summary>
        public int Facing;
        /// <summary>Whether the player cannot see the agent. Agents on screen take tokens from others.</summary>
        public bool OffScreen;
        /// <summary>Plays cues, such as an attack. Without it, tasks with cues fail.</summary>
        public Func<string, NbCall, NbStatus> Cue;
        /// <summary>Turns the agent towards a position.</summary>
        public Action<NbVec2> Face;
        /// <summary>
        /// What the agent perceives of the target, updated by each tick; null for an agent that
        /// always knows where its target is.
        /// </summary>
        public NbPerception? Perception;
        /// <summary>For the tasks of the game: usually the enemy.</summary>
        public object User;
    }

    // With IL2CPP only such static methods can be called from outside.
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate NbStatus TaskFn(IntPtr user, IntPtr call);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate NbStatus CueFn(IntPtr user, IntPtr name, NbCall call);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate void FaceFn(IntPtr user, float x, float y);

    public sealed partial class NbTreeState
    {
        internal static readonly TaskFn OnTask = CallTask;
        static readonly CueFn OnCue = CallCue;
        static readonly FaceFn OnFace = CallFace;
        static readonly IntPtr cue = Marshal.GetFunctionPointerForDelegate(OnCue);
        static readonly IntPtr face = Marshal.GetFunctionPointerForDelegate(OnFace);

        /// The tick that is running.
        internal NbTick Ticked;
        Exception thrown;

        /// <summary>Ticks a tree once, before or after the agent is stepped, and returns its status.</summary>
        public NbStatus Tick(NbTick tick)
        {
            NbStatus status = NbStatus.Failure;
            During(tick, (ref NbTickRaw raw) => Native.nb_state_tick(this, ref raw, out status));
            return status;
        }

        /// <summary>Aborts what is running in a tree, for instance when the agent is stunned or dies.</summary>
        public void Reset(NbTick tick) =>
            During(tick, (ref NbTickRaw raw) => Native.nb_state_reset(this, ref raw));

        /// <summary>
        /// Moves an agent to another version of its tree, when the file has changed while the
        /// game runs: what is the same in both goes on. On an error the agent keeps its tree.
        /// </summary>
        public void Migrate(NbTree tree, NbPools pools, NbTick tick) =>
            During(tick, (ref NbTickRaw raw) => Native.nb_state_migrate(this, tree, pools ?? NbPools.None, ref raw));

        delegate NbResult Use(ref NbTickRaw raw);

        void During(NbTick tick, Use use)
        {
            var self = GCHandle.Alloc(this);
            var outer = Ticked;
            try
            {
                Ticked = tick;
                thrown = null;
                using (var memory = new Memory())
                {
                    var raw = new NbTickRaw
                    {
                        size = (uint)Marshal.SizeOf<NbTickRaw>(),
                        seconds = tick.Seconds,
                        eye_height = tick.EyeHeight,
                        has_target = tick.Target.HasValue ? 1 : 0,
                        target = tick.Target.GetValueOrDefault(),
                        target_body = tick.TargetBody,
                        facing = tick.Facing,
                        off_screen = tick.OffScreen ? 1 : 0,
                        agent = memory.Put(tick.Agent),
                        nav = memory.Put(tick.Nav),
                        sight_agent = memory.Put(tick.SightAgent),
                        user = GCHandle.ToIntPtr(self),
                        cue = tick.Cue == null ? IntPtr.Zero : cue,
                        face = tick.Face == null ? IntPtr.Zero : face,
                        perception = memory.Put(tick.Perception),
                    };
                    var result = use(ref raw);
                    if (thrown != null) throw new Exception("an exception in a function that a tree calls", thrown);
                    Nb.Check(result);
                    if (tick.Perception != null)
                        tick.Perception = Marshal.PtrToStructure<NbPerception>(raw.perception);
                }
            }
            finally
            {
                Ticked = outer;
                self.Free();
            }
        }

        [MonoPInvokeCallback(typeof(TaskFn))]
        static NbStatus CallTask(IntPtr user, IntPtr call)
        {
            var raw = Marshal.PtrToStructure<NbTaskCallRaw>(call);
            var state = (NbTreeState)GCHandle.FromIntPtr(raw.user).Target;
            try
            {
                var function = (Func<NbTaskCall, NbStatus>)GCHandle.FromIntPtr(user).Target;
                return function(new NbTaskCall(raw, state));
            }
            catch (Exception error)
            {
                state.thrown = state.thrown ?? error;
                return NbStatus.Failure;
            }
        }

        [MonoPInvokeCallback(typeof(CueFn))]
        static NbStatus CallCue(IntPtr user, IntPtr name, NbCall call)
        {
            var state = (NbTreeState)GCHandle.FromIntPtr(user).Target;
            try
            {
                return state.Ticked.Cue(Marshal.PtrToStringUTF8(name), call);
            }
            catch (Exception error)
            {
                state.thrown = state.thrown ?? error;
                return NbStatus.Failure;
            }
        }

        [MonoPInvokeCallback(typeof(FaceFn))]
        static void CallFace(IntPtr user, float x, float y)
        {
            var state = (NbTreeState)GCHandle.FromIntPtr(user).Target;
            try
            {
                state.Ticked.Face(new NbVec2(x, y));
            }
            catch (Exception error)
            {
                state.thrown = state.thrown ?? error;
            }
        }
    }

    /// What a call reads, until it has returned.
    sealed class Memory : IDisposable
    {
        readonly List<IntPtr> blocks = new List<IntPtr>();
        readonly List<SafeHandle> objects = new List<SafeHandle>();

        internal IntPtr Put(NbObject used)
        {
            if (used == null) return IntPtr.Zero;
            bool isHeld = false;
            used.DangerousAddRef(ref isHeld);
            objects.Add(used);
            return used.DangerousGetHandle();
        }

        internal IntPtr Put(string text) =>
            text == null ? IntPtr.Zero : Put(Encoding.UTF8.GetBytes(text + '\0'));

        internal IntPtr Put<T>(T[] list) where T : struct
        {
            if (list == null || list.Length == 0) return IntPtr.Zero;
            int size = Marshal.SizeOf<T>();
            IntPtr block = Block(list.Length * size);
            for (int i = 0; i < list.Length; i++) Marshal.StructureToPtr(list[i], block + i * size, false);
            return block;
        }

        internal IntPtr Put(NbProfile? profile)
        {
            if (profile == null) return IntPtr.Zero;
            var raw = profile.Value;
            raw.size = (uint)Marshal.SizeOf<NbProfile>();
            return Put(new[] { raw });
        }

        internal IntPtr Put(NbPerception? perception)
        {
            if (perception == null) return IntPtr.Zero;
            var raw = perception.Value;
            raw.size = (uint)Marshal.SizeOf<NbPerception>();
            return Put(new[] { raw });
        }

        internal IntPtr Put(NbFilter? filter) =>
            filter == null ? IntPtr.Zero : Put(new[] { filter.Value.ToRaw(this) });

        internal IntPtr Put(NbQuery? query) =>
            query == null ? IntPtr.Zero : Put(new[] { query.Value.ToRaw(this) });

        IntPtr Block(int size)
        {
            IntPtr block = Marshal.AllocHGlobal(size);
            blocks.Add(block);
            return block;
        }

        public void Dispose()
        {
            foreach (var block in blocks) Marshal.FreeHGlobal(block);
            foreach (var held in objects) held.DangerousRelease();
        }
    }

    /// <summary>What a function returns.</summary>
    public enum NbResult : int
    {
        /// <summary>It worked.</summary>
        Ok = 0,
        /// <summary>A pointer is null that must not be, or a number is out of its range.</summary>
        ErrorArgument = 1,
        /// <summary>The <c>Size</c> of a struct is not one of a version that this library knows.</summary>
        ErrorSize = 2,
        /// <summary>
        /// The buffer is too small. What fits was written, and the count or length
        /// says how much there is.
        /// </summary>
        ErrorBuffer = 3,
        /// <summary>The file could not be read.</summary>
        ErrorFile = 4,
        /// <summary>The bytes are not a nav mesh that this library reads.</summary>
        ErrorMesh = 5,
        /// <summary>
        /// There is no layer, door, marker, region, platform, link or key of that name or
        /// number, or the key was never set.
        /// </summary>
        ErrorUnknown = 6,
        /// <summary>The tree file has a mistake, or the pools lack one that the tree names.</summary>
        ErrorTree = 7,
        /// <summary>
        /// Another call is using the object: one on another thread, or one that is
        /// running a callback now.
        /// </summary>
        ErrorBusy = 8,
        /// <summary>A defect in this library. The objects of the call should be freed.</summary>
        ErrorInternal = 9,
    }

    /// <summary>Which call of a task or cue this is.</summary>
    public enum NbCall : uint
    {
        /// <summary>It starts in this tick.</summary>
        Begin = 1,
        /// <summary>It was running in the last tick.</summary>
        Continue = 2,
        /// <summary>
        /// It was running and is abandoned: undo what it has begun. The result is not
        /// read.
        /// </summary>
        Abort = 3,
    }

    /// <summary>
    /// What a task, a cue or a tree returns. Functions of the game return one of these;
    /// any other number is a failure.
    /// </summary>
    public enum NbStatus : uint
    {
        /// <summary>Completed, and it worked.</summary>
        Success = 1,
        /// <summary>Completed, and it did not work.</summary>
        Failure = 2,
        /// <summary>Not completed: it is called again in the next tick.</summary>
        Running = 3,
    }

    /// <summary>What an agent is doing.</summary>
    public enum NbActivity : uint
    {
        /// <summary>One that this version of the interface does not know.</summary>
        Unknown = 0,
        /// <summary>It stands, holds on to something or hovers without a destination.</summary>
        Idle = 1,
        /// <summary>It rests at its destination, or where it was stopped.</summary>
        Arrived = 2,
        /// <summary>It is as near to its destination as it can get; <c>Reason</c> says why not nearer.</summary>
        NearestReached = 3,
        /// <summary>No path leads to its destination; <c>Reason</c> says why.</summary>
        CannotReach = 4,
        /// <summary>Its destination or its limits are not valid.</summary>
        Rejected = 5,
        /// <summary>It waits for a path.</summary>
        Waiting = 6,
        /// <summary>It runs along a floor.</summary>
        Running = 7,
        /// <summary>It is in a jump.</summary>
        Jumping = 8,
        /// <summary>It drops, or falls to where it can stand.</summary>
        Dropping = 9,
        /// <summary>It flies.</summary>
        Flying = 10,
        /// <summary>It climbs along a ladder, a wall or a ceiling.</summary>
        Climbing = 11,
        /// <summary>It was launched and has not landed yet.</summary>
        Launched = 12,
        /// <summary>It stands at the entrance of a portal.</summary>
        InPortal = 13,
        /// <summary>There is no place for it; <c>Reason</c> says why. Teleport it into the level.</summary>
        Stranded = 14,
        /// <summary>It was disabled or stunned. A stunned agent may still fall.</summary>
        Disabled = 15,
        /// <summary>It rides on a platform that moves, or gets on or off it.</summary>
        Riding = 16,
    }

    /// <summary>How an agent moves where others of its level are in its way.</summary>
    public enum NbAvoidance : uint
    {
        /// <summary>Through them, as a new agent does.</summary>
        Overlap = 0,
        /// <summary>It keeps a gap.</summary>
        Queue = 1,
        /// <summary>It keeps a gap, and makes way for one that comes towards it.</summary>
        Yield = 2,
    }

    /// <summary>Why an agent does not move, why its path was lost, or why there is no path.</summary>
    public enum NbReason : uint
    {
        /// <summary>No reason is needed.</summary>
        None = 0,
        /// <summary>One that this version of the interface does not know.</summary>
        Unknown = 1,
        /// <summary>The start is not on navigable ground, nor within two spacings of it.</summary>
        StartNotNavigable = 2,
        /// <summary>The goal is not on navigable ground, nor within two spacings of it.</summary>
        GoalNotNavigable = 3,
        /// <summary>A closed door covers the start.</summary>
        StartClosed = 4,
        /// <summary>A closed door covers the goal.</summary>
        GoalClosed = 5,
        /// <summary>No baked moves lead from the start to the goal.</summary>
        Disconnected = 6,
        /// <summary>Doors or the limits of the agent leave no way.</summary>
        Exhausted = 7,
        /// <summary>There is nothing below to land on.</summary>
        NothingBelow = 8,
        /// <summary>It fell out of the level.</summary>
        LeftLevel = 9,
        /// <summary>It flies, and no free position is near.</summary>
        NoFreeVertex = 10,
        /// <summary>The layer was baked for another agent.</summary>
        WrongLayer = 11,
        /// <summary>A coordinate is not finite.</summary>
        NotFinite = 12,
        /// <summary>A door on its path was closed.</summary>
        Door = 13,
        /// <summary>Its body was pushed away.</summary>
        Drift = 14,
        /// <summary>The level was swapped.</summary>
        Level = 15,
        /// <summary>Its limits became too tight for the path.</summary>
        Limits = 16,
        /// <summary>The query is not valid.</summary>
        Query = 17,
    }

    /// <summary>Something that happened in a step.</summary>
    public enum NbEventKind : uint
    {
        /// <summary>One that this version of the interface does not know.</summary>
        Unknown = 0,
        /// <summary>It is at its destination, or was stopped.</summary>
        Arrived = 1,
        /// <summary>It began a jump, at <c>From</c>; it will land at <c>To</c>.</summary>
        Jumped = 2,
        /// <summary>It began a drop or a fall, at <c>From</c>; it will land at <c>To</c>.</summary>
        Dropped = 3,
        /// <summary>It began to fly, at <c>From</c>.</summary>
        TookOff = 4,
        /// <summary>It came down on a platform.</summary>
        Landed = 5,
        /// <summary>It entered a portal at <c>From</c>, and waits there; the exit is <c>To</c>.</summary>
        EnteredPortal = 6,
        /// <summary>It came out of a portal, at <c>To</c>. Move a physics body there.</summary>
        Teleported = 7,
        /// <summary>A door closed on it. It moves out, by a side at which it enters no other one if it can.</summary>
        CaughtInDoor = 8,
        /// <summary>It can no longer follow its path, for <c>Reason</c>, and plans again.</summary>
        PathLost = 9,
        /// <summary>No path leads to its destination, for <c>Reason</c>.</summary>
        CannotReach = 10,
        /// <summary>Its body makes no progress. It plans again.</summary>
        Stuck = 11,
        /// <summary>There is no place for it, for <c>Reason</c>.</summary>
        Stranded = 12,
        /// <summary>
        /// It began a link that the game performs, at <c>From</c>; the end is <c>To</c>. <c>Marker</c> is its
        /// marker. Call <c>NbAgent.FinishLink</c> if the game moves the body in its own way.
        /// </summary>
        LinkStarted = 13,
        /// <summary>A link that the game performs is over, at <c>To</c>.</summary>
        LinkFinished = 14,
        /// <summary>It stands in front of a door that it may break. <c>Marker</c> is that of the door.</summary>
        BlockedBy = 15,
        /// <summary>A spring throws it, at <c>From</c>; it will land at <c>To</c>.</summary>
        Thrown = 16,
        /// <summary>It is on a platform that moves, at <c>To</c>. <c>Marker</c> is that of the platform.</summary>
        Boarded = 17,
        /// <summary>It is on a floor again after a ride, at <c>To</c>. <c>Marker</c> is that of the platform.</summary>
        GotOff = 18,
    }

    /// <summary>The kind of motion of a step of a path.</summary>
    public enum NbStepKind : uint
    {
        /// <summary>One that this version of the interface does not know.</summary>
        Unknown = 0,
        /// <summary>Walking along a floor.</summary>
        Floor = 1,
        /// <summary>Flying straight.</summary>
        Fly = 2,
        /// <summary>A jump.</summary>
        Jump = 3,
        /// <summary>A drop off an edge.</summary>
        Drop = 4,
        /// <summary>A drop through the one-way platform that the agent stands on.</summary>
        DropThrough = 5,
        /// <summary>Climbing a ladder.</summary>
        Ladder = 6,
        /// <summary>Climbing a wall.</summary>
        WallClimb = 7,
        /// <summary>Climbing along a ceiling.</summary>
        CeilingClimb = 8,
        /// <summary>Going through a portal.</summary>
        Portal = 9,
        /// <summary>Being thrown by a spring.</summary>
        Spring = 10,
        /// <summary>Waiting for a platform that moves, and riding on it.</summary>
        Ride = 11,
    }

    /// <summary>What a marker is for.</summary>
    public enum NbMarkerKind : uint
    {
        /// <summary>A class that is the game's own.</summary>
        Other = 0,
        /// <summary><c>spawn</c>: an agent or the player enters the level here.</summary>
        Spawn = 1,
        /// <summary><c>waypoint</c>: a point of interest.</summary>
        Waypoint = 2,
        /// <summary><c>portal</c>: one end of a connection that teleports.</summary>
        Portal = 3,
        /// <summary><c>door</c>, also <c>breakable</c>: a region that the game opens and closes.</summary>
        Door = 4,
        /// <summary><c>area</c>: a region with a meaning to the game.</summary>
        Area = 5,
        /// <summary><c>nav_area</c>: the part of the level that was baked.</summary>
        NavArea = 6,
        /// <summary><c>Link</c>: a move that the game performs, or one end of it.</summary>
        Link = 7,
        /// <summary><c>spring</c>: throws bodies that touch it.</summary>
        Spring = 8,
    }

    /// <summary>The outcome of a path query.</summary>
    public enum NbFound : uint
    {
        /// <summary>There is no path; <c>Reason</c> says why.</summary>
        None = 0,
        /// <summary>A path to the goal.</summary>
        Goal = 1,
        /// <summary>
        /// A path to the reachable point nearest to the goal; <c>Reason</c> says why not to
        /// the goal itself.
        /// </summary>
        Nearest = 2,
    }

    /// <summary>
    /// A position, a velocity or a size. Positions are world units, those of an
    /// agent's feet: the bottom centre of its body. Velocities are units/s.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbVec2
    {
        /// <summary>To the right.</summary>
        public float X;
        /// <summary>Down, unless the level was baked with <c>y_axis = "up"</c>.</summary>
        public float Y;
    }

    /// <summary>
    /// The limits of an agent. Lengths are world units, speeds units/s, accelerations
    /// units/s²; all are magnitudes, for both directions of y.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbProfile
    {
        internal uint size;
        /// <summary>Width and height of the body.</summary>
        public NbVec2 Body;
        /// <summary>Greatest speed on the floor; for agents that fly, in every direction.</summary>
        public float RunSpeed;
        /// <summary>Greatest increase of speed.</summary>
        public float Acceleration;
        /// <summary>Greatest decrease of speed.</summary>
        public float Deceleration;
        /// <summary>Greatest height of a jump.</summary>
        public float JumpHeight;
        /// <summary>Upward speed at the launch of the highest jump.</summary>
        public float JumpSpeed;
        /// <summary>Downward acceleration in jumps and drops.</summary>
        public float Gravity;
        /// <summary>Greatest falling speed; 0 for no limit.</summary>
        public float MaxFallSpeed;
        /// <summary>Greatest horizontal acceleration in the air; 0 for no limit.</summary>
        public float AirAcceleration;
        /// <summary>Speed on ladders, walls and ceilings; 0 for agents that do not climb.</summary>
        public float ClimbSpeed;
        /// <summary>1 if y grows downwards in the level, -1 if it grows upwards.</summary>
        public float Down;
        /// <summary>
        /// Farthest across and highest up that a jump leads; may be infinite. 0 for what the
        /// layer was baked for.
        /// </summary>
        public NbVec2 MaxJump;
        /// <summary>
        /// Farthest across and deepest down that a drop leads; may be infinite. 0 for what the
        /// layer was baked for.
        /// </summary>
        public NbVec2 MaxDrop;
    }

    /// <summary>A rectangle in which time costs more, for instance a swamp or the range of a turret.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbCostArea
    {
        /// <summary>A corner, finite.</summary>
        public NbVec2 Corner;
        /// <summary>The opposite corner, finite.</summary>
        public NbVec2 Opposite;
        /// <summary>
        /// What a second with the feet inside counts as: finite, 1 or more. Where areas
        /// overlap, their additions to 1 are summed.
        /// </summary>
        public float Factor;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NbFilterRaw
    {
        public uint size;
        public NbStepKind forbidden;
        public int floor;
        public float caution;
        public IntPtr costs;
        public UIntPtr cost_count;
        public UIntPtr cost_size;
    }

    /// <summary>
    /// What paths may not use, and what costs more than its time. Set all bytes to 0 first:
    /// fields that are 0 exclude nothing.
    /// </summary>
    public partial struct NbFilter
    {
        /// <summary>
        /// The kinds of motion that are not used: the sum of <c>1 &lt;&lt; kind</c>, each one of
        /// <c>NbStepKind</c>.
        /// </summary>
        public NbStepKind Forbidden;
        /// <summary>
        /// For agents that fly: 1 if they stay at the floor, -1 if they keep off it. Jumps
        /// and drops pass through the rest.
        /// </summary>
        public int Floor;
        /// <summary>
        /// Extra cost, in seconds, of jumps that fail when the agent takes off late; less for
        /// jumps with some tolerance, nothing from a quarter of a second on. Finite, not
        /// negative.
        /// </summary>
        public float Caution;
        /// <summary>Rectangles in which time costs more. Null if there are none. They are copied.</summary>
        public NbCostArea[] Costs;

        internal NbFilterRaw ToRaw(Memory memory)
        {
            var raw = new NbFilterRaw();
            raw.size = (uint)Marshal.SizeOf<NbFilterRaw>();
            raw.forbidden = Forbidden;
            raw.floor = Floor;
            raw.caution = Caution;
            raw.costs = memory.Put(Costs);
            raw.cost_count = (UIntPtr)(Costs == null ? 0 : Costs.Length);
            raw.cost_size = (UIntPtr)Marshal.SizeOf<NbCostArea>();
            return raw;
        }
    }

    /// <summary>An agent at one moment.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbPose
    {
        internal uint size;
        /// <summary>What it is doing: one of <c>NbActivity</c>.</summary>
        public NbActivity Activity;
        /// <summary>Why it does not move: one of <c>NbReason</c>.</summary>
        public NbReason Reason;
        /// <summary>1 if it looks to larger x, -1 if to smaller x.</summary>
        public int Facing;
        /// <summary>The feet.</summary>
        public NbVec2 Position;
        /// <summary>
        /// Of the agent; after <c>NbAgent.Drive</c>, the one that takes the body to <c>Position</c>
        /// within the step.
        /// </summary>
        public NbVec2 Velocity;
    }

    /// <summary>A body that the game's physics moves, for <c>NbAgent.Drive</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbBody
    {
        internal uint size;
        /// <summary>Whether it stands on something.</summary>
        [MarshalAs(UnmanagedType.Bool)]
        public bool Grounded;
        /// <summary>The feet.</summary>
        public NbVec2 Position;
        /// <summary>Units/s.</summary>
        public NbVec2 Velocity;
    }

    /// <summary>What the body should do in the next step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbCommand
    {
        internal uint size;
        /// <summary>
        /// The jump to begin now, one of <c>NbStepKind</c>: <c>NbStepKind.Jump</c>,
        /// <c>NbStepKind.DropThrough</c> or, for none, <c>NbStepKind.Unknown</c>, which is 0.
        /// </summary>
        public NbStepKind Jump;
        /// <summary>
        /// The velocity to have in this step. On floors and in jumps, a body with its own
        /// gravity uses the x only.
        /// </summary>
        public NbVec2 Velocity;
        /// <summary>
        /// With a jump: the velocity to take off with. A body with its own gravity uses
        /// the y only.
        /// </summary>
        public NbVec2 JumpVelocity;
        /// <summary>
        /// Whether the body should move by exactly <c>Velocity</c>, without gravity and collisions:
        /// the agent flies, climbs, is in a portal or disabled.
        /// </summary>
        [MarshalAs(UnmanagedType.Bool)]
        public bool Exact;
    }

    /// <summary>Something that happened in a step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbEvent
    {
        /// <summary>One of <c>NbEventKind</c>.</summary>
        public NbEventKind Kind;
        /// <summary>One of <c>NbReason</c>.</summary>
        public NbReason Reason;
        /// <summary>
        /// Where it began. The same as <c>To</c> for an event at one place, and 0 for one
        /// that has no place.
        /// </summary>
        public NbVec2 From;
        /// <summary>Where it leads.</summary>
        public NbVec2 To;
        /// <summary>The number of the marker that it is about, for <c>NbMesh.Marker</c>; -1 for none.</summary>
        public int Marker;
    }

    /// <summary>One motion of a path.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbStep
    {
        /// <summary>One of <c>NbStepKind</c>.</summary>
        public NbStepKind Kind;
        /// <summary>Seconds.</summary>
        public float Duration;
        /// <summary>Feet at the start.</summary>
        public NbVec2 From;
        /// <summary>Feet at the end.</summary>
        public NbVec2 To;
        /// <summary>The number of the link that it follows, for <c>NbMesh.LinkPoints</c>; -1 for none.</summary>
        public int Link;
    }

    /// <summary>A floor, ladder, wall or ceiling along which an agent can move without a break.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbPlatform
    {
        /// <summary>
        /// How agents move along it, one of <c>NbStepKind</c>: <c>NbStepKind.Floor</c>,
        /// <c>NbStepKind.Ladder</c>, <c>NbStepKind.WallClimb</c> or <c>NbStepKind.CeilingClimb</c>.
        /// </summary>
        public NbStepKind Kind;
        /// <summary>The number of its group: agents can go from any platform of a group to any other.</summary>
        public uint Component;
        /// <summary>Feet at the left end; on ladders and walls, at the end with the smaller y.</summary>
        public NbVec2 Left;
        /// <summary>Feet at the other end.</summary>
        public NbVec2 Right;
    }

    /// <summary>A baked motion from one platform to another, in this direction.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbLink
    {
        /// <summary>
        /// One of <c>NbStepKind</c>; <c>NbStepKind.Floor</c> where the agent walks on but cannot walk
        /// back, for instance through a one-way wall.
        /// </summary>
        public NbStepKind Kind;
        /// <summary>The number of the platform that it leaves.</summary>
        public uint FromPlatform;
        /// <summary>The number of the platform that it leads to.</summary>
        public uint ToPlatform;
        /// <summary>Seconds; for a portal, its cost.</summary>
        public float Duration;
        /// <summary>How many seconds late the agent may take off, 0 to 0.25.</summary>
        public float Tolerance;
        /// <summary>Feet at the start.</summary>
        public NbVec2 From;
        /// <summary>Feet at the end.</summary>
        public NbVec2 To;
    }

    /// <summary>A position or region that is marked in the level.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbMarker
    {
        internal uint size;
        /// <summary>One of <c>NbMarkerKind</c>.</summary>
        public NbMarkerKind Kind;
        /// <summary>The corner of its bounding box with the smaller coordinates.</summary>
        public NbVec2 Min;
        /// <summary>The corner with the larger coordinates.</summary>
        public NbVec2 Max;
        /// <summary>The feet of an agent that is placed at it: the middle of the lower edge.</summary>
        public NbVec2 Feet;
    }

    /// <summary>A platform that moves, at a time.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbMovingPlatform
    {
        /// <summary>The number of its marker, for <c>NbMesh.MarkerName</c>.</summary>
        public uint Marker;
        /// <summary>Whether bodies pass through it upwards.</summary>
        [MarshalAs(UnmanagedType.Bool)]
        public bool OneWay;
        /// <summary>Width and height.</summary>
        public NbVec2 Extent;
        /// <summary>The left end of its top.</summary>
        public NbVec2 Position;
        /// <summary>Units per second.</summary>
        public NbVec2 Velocity;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NbQueryRaw
    {
        public uint size;
        public int allow_partial_path;
        public NbVec2 from;
        public NbVec2 to;
        public IntPtr filter;
        public IntPtr profile;
    }

    /// <summary>A path query.</summary>
    public partial struct NbQuery
    {
        /// <summary>
        /// Whether the path may lead to the reachable point nearest to a goal that cannot be
        /// reached.
        /// </summary>
        public bool AllowPartialPath;
        /// <summary>Feet at the start.</summary>
        public NbVec2 From;
        /// <summary>Feet at the goal.</summary>
        public NbVec2 To;
        /// <summary>What the path may not use, and what costs more; may be null.</summary>
        public NbFilter? Filter;
        /// <summary>
        /// The limits of the agent that asks, as for <c>NbAgent.SetProfile</c>; null for those
        /// that the layer was baked for.
        /// </summary>
        public NbProfile? Profile;

        internal NbQueryRaw ToRaw(Memory memory)
        {
            var raw = new NbQueryRaw();
            raw.size = (uint)Marshal.SizeOf<NbQueryRaw>();
            raw.allow_partial_path = AllowPartialPath ? 1 : 0;
            raw.from = From;
            raw.to = To;
            raw.filter = memory.Put(Filter);
            raw.profile = memory.Put(Profile);
            return raw;
        }
    }

    /// <summary>A path without its steps.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbPath
    {
        internal uint size;
        /// <summary>One of <c>NbFound</c>.</summary>
        public NbFound Found;
        /// <summary>One of <c>NbReason</c>.</summary>
        public NbReason Reason;
        /// <summary>Seconds, and what the filter adds to them.</summary>
        public float Cost;
        /// <summary>Feet at the start, on the floor.</summary>
        public NbVec2 Start;
        /// <summary>Feet at the end.</summary>
        public NbVec2 End;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NbTaskCallRaw
    {
        public uint size;
        public NbCall call;
        public float seconds;
        public IntPtr @params;
        public IntPtr user;
        public IntPtr agent;
        public IntPtr memory;
        public IntPtr state;
    }

    /// <summary>
    /// What an agent perceives of its target: it sees it in a cone ahead, hears it when it is near,
    /// and knows where it was until it forgets. Keep one for each enemy.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct NbPerception
    {
        internal uint size;
        /// <summary>How far it sees, world units.</summary>
        public float Range;
        /// <summary>How far from straight ahead it sees, degrees; 180 is all around.</summary>
        public float Angle;
        /// <summary>How near it hears the target, also through walls and behind it, world units.</summary>
        public float Hearing;
        /// <summary>Seconds after which it forgets the target.</summary>
        public float Memory;
        /// <summary>Seconds since it perceived the target; 0 while it does.</summary>
        public float Age;
        /// <summary>Whether it knows where the target was; 0 at first, and when it has forgotten it.</summary>
        [MarshalAs(UnmanagedType.Bool)]
        public bool Knows;
        /// <summary>Whether it sees the target now.</summary>
        [MarshalAs(UnmanagedType.Bool)]
        public bool Sees;
        /// <summary>Where it perceived the target last.</summary>
        public NbVec2 Known;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NbTickRaw
    {
        public uint size;
        public float seconds;
        public float eye_height;
        public int has_target;
        public NbVec2 target;
        public int facing;
        public int off_screen;
        public NbVec2 target_body;
        public IntPtr agent;
        public IntPtr nav;
        public IntPtr sight_agent;
        public IntPtr user;
        public IntPtr cue;
        public IntPtr face;
        public IntPtr perception;
    }

    /// <summary>A baked level. It never changes, so any number of threads may use it at once.</summary>
    public sealed partial class NbMesh : NbObject
    {
        NbMesh() { }

        internal override void Free(IntPtr handle) => Native.nb_mesh_free(handle);

        /// <summary>The platforms of a layer. Their numbers are their places in this list.</summary>
        public NbPlatform[] LayerPlatforms(uint layer)
        {
            UIntPtr count;
            var buffer = Array.Empty<NbPlatform>();
            while (Nb.IsLonger(Native.nb_layer_platforms(this, layer, buffer, (UIntPtr)buffer.Length, (UIntPtr)Marshal.SizeOf<NbPlatform>(), out count), ref buffer, count)) { }
            Array.Resize(ref buffer, (int)count);
            return buffer;
        }

        /// <summary>The line that the feet follow on a platform, from its left end to its right end.</summary>
        public NbVec2[] PlatformPoints(uint layer, uint platform)
        {
            UIntPtr count;
            var buffer = Array.Empty<NbVec2>();
            while (Nb.IsLonger(Native.nb_platform_points(this, layer, platform, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            Array.Resize(ref buffer, (int)count);
            return buffer;
        }

        /// <summary>The links of a layer. Their numbers are their places in this list.</summary>
        public NbLink[] LayerLinks(uint layer)
        {
            UIntPtr count;
            var buffer = Array.Empty<NbLink>();
            while (Nb.IsLonger(Native.nb_layer_links(this, layer, buffer, (UIntPtr)buffer.Length, (UIntPtr)Marshal.SizeOf<NbLink>(), out count), ref buffer, count)) { }
            Array.Resize(ref buffer, (int)count);
            return buffer;
        }

        /// <summary>
        /// <c>count</c> points of the motion along a link, at equal times from its start to its end:
        /// the curve of a jump or drop, otherwise a straight line.
        /// </summary>
        public NbVec2[] LinkPoints(uint layer, uint link, int count)
        {
            var points = new NbVec2[count];
            Nb.Check(Native.nb_link_points(this, layer, link, points, (UIntPtr)count));
            return points;
        }

        /// <summary>Reads a level from the bytes of a .navmesh file. They are not needed afterwards.</summary>
        public static NbMesh Load(byte[] data)
        {
            Nb.Check(Native.nb_mesh_load(data, (UIntPtr)data.Length, out NbMesh mesh));
            return mesh;
        }

        /// <summary>Reads a level from a .navmesh file.</summary>
        public static NbMesh LoadFile(string path)
        {
            Nb.Check(Native.nb_mesh_load_file(path, out NbMesh mesh));
            return mesh;
        }

        /// <summary>The number of layers: one for each agent that the level was baked for. 0 for null.</summary>
        public uint LayerCount() => Native.nb_mesh_layer_count(this);

        /// <summary>
        /// Looks up the layer that was baked for an agent: <c>ground</c>, <c>air</c>, or a name of
        /// navbake.toml. Numbers are those of this mesh; look them up again in another one.
        /// </summary>
        public uint Layer(string agent)
        {
            Nb.Check(Native.nb_mesh_layer(this, agent, out uint layer));
            return layer;
        }

        /// <summary>The name of the agent that a layer was baked for.</summary>
        public string LayerName(uint layer)
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_layer_name(this, layer, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>The limits that a layer was baked for.</summary>
        public NbProfile LayerProfile(uint layer)
        {
            var profile = new NbProfile { size = (uint)Marshal.SizeOf<NbProfile>() };
            Nb.Check(Native.nb_layer_profile(this, layer, ref profile));
            return profile;
        }

        /// <summary>
        /// Where an agent of this layer comes to rest that is put at a position: the floor,
        /// ladder or wall there, or the floor below. An error if there is no such place.
        /// For spawn points.
        /// </summary>
        public NbVec2 LayerPlace(uint layer, NbVec2 position)
        {
            Nb.Check(Native.nb_layer_place(this, layer, position, out NbVec2 placeAt));
            return placeAt;
        }

        /// <summary>
        /// The left and the right end of the floor below a position, as far as the agent can
        /// walk there. An error if there is no floor. For patrols.
        /// </summary>
        public void LayerFloorEnds(uint layer, NbVec2 position, out NbVec2 left, out NbVec2 right)
        {
            Nb.Check(Native.nb_layer_floor_ends(this, layer, position, out left, out right));
        }

        /// <summary>
        /// Builds the index of routes of a layer, with which paths are looked up instead of
        /// searched for. Call it while the level loads: for 6,500 links it takes 0.04 s, for
        /// 120,000 it takes 1.2 s, and a fifth of that or less for a level that was baked with
        /// <c>index_routes = true</c>.
        /// </summary>
        public void LayerIndexRoutes(uint layer)
        {
            Nb.Check(Native.nb_layer_index_routes(this, layer));
        }

        /// <summary>The number of markers, which are in the order of the level. 0 for null.</summary>
        public uint MarkerCount() => Native.nb_mesh_marker_count(this);

        /// <summary>A marker, by its number from 0.</summary>
        public NbMarker Marker(uint number)
        {
            var marker = new NbMarker { size = (uint)Marshal.SizeOf<NbMarker>() };
            Nb.Check(Native.nb_mesh_marker(this, number, ref marker));
            return marker;
        }

        /// <summary>
        /// The numbers of the markers of a kind, one of <c>NbMarkerKind</c>, and of a name, unless it is
        /// null: all spawns, or the spawns called <c>guard</c>.
        /// </summary>
        public uint[] FindMarkers(NbMarkerKind kind, string name = null)
        {
            UIntPtr count;
            var buffer = Array.Empty<uint>();
            while (Nb.IsLonger(Native.nb_mesh_find_markers(this, kind, name, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            Array.Resize(ref buffer, (int)count);
            return buffer;
        }

        /// <summary>
        /// The platforms on which agents ride, where they are at a time in seconds. Move the platforms
        /// of the game there at the end of a step.
        /// </summary>
        public NbMovingPlatform[] MovingPlatforms(double seconds)
        {
            UIntPtr count;
            var buffer = Array.Empty<NbMovingPlatform>();
            while (Nb.IsLonger(Native.nb_mesh_moving_platforms(this, seconds, buffer, (UIntPtr)buffer.Length, (UIntPtr)Marshal.SizeOf<NbMovingPlatform>(), out count), ref buffer, count)) { }
            Array.Resize(ref buffer, (int)count);
            return buffer;
        }

        /// <summary>The name of a marker.</summary>
        public string MarkerName(uint number)
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_marker_name(this, number, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>The class of a marker, for those of the game's own.</summary>
        public string MarkerClass(uint number)
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_marker_class(this, number, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>The number of a marker's properties. 0 for null and for a marker that does not exist.</summary>
        public uint MarkerPropertyCount(uint number) => Native.nb_marker_property_count(this, number);

        /// <summary>The name of a property of a marker, by its index from 0. They are sorted by name.</summary>
        public string MarkerPropertyName(uint number, uint index)
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_marker_property_name(this, number, index, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>
        /// A property of a marker as text. <c>NbResult.ErrorUnknown</c> if it has none of that
        /// name.
        /// </summary>
        public string MarkerProperty(uint number, string property)
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_marker_property(this, number, property, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }
    }

    /// <summary>A level in play: its mesh, its doors, and the path searches of all agents in it.</summary>
    public sealed partial class NbNav : NbObject
    {
        NbNav() { }

        internal override void Free(IntPtr handle) => Native.nb_nav_free(handle);

        /// <summary>
        /// Begins to play a level. Its doors are open, except those with the property <c>closed</c>,
        /// and agents get their paths at once. The mesh may be freed.
        /// </summary>
        public static NbNav New(NbMesh mesh)
        {
            Nb.Check(Native.nb_nav_new(mesh, out NbNav nav));
            return nav;
        }

        /// <summary>
        /// Replaces the mesh, when the level was baked again or another one begins. Doors keep
        /// their state if the new mesh has a door of the same name. Agents find their place in
        /// the next step, and plan again for the destinations that they have.
        /// </summary>
        public void SetMesh(NbMesh mesh)
        {
            Nb.Check(Native.nb_nav_set_mesh(this, mesh));
        }

        /// <summary>
        /// Bounds the path searches of a frame: <c>NbNav.Work</c> looks at no more than this number of
        /// nodes, and agents follow the path they have until the next one is found. 2,000 is a
        /// usual number. With 0, as in the beginning, agents get their paths at once.
        /// </summary>
        public void SetBudget(uint nodes)
        {
            Nb.Check(Native.nb_nav_set_budget(this, nodes));
        }

        /// <summary>
        /// Answers the waiting requests of agents within the budget, and returns how many. Call it
        /// once in each frame.
        /// </summary>
        public uint Work()
        {
            Nb.Check(Native.nb_nav_work(this, out uint answered));
            return answered;
        }

        /// <summary>
        /// Gives the level the time, in seconds at the begin of the next step. Agents ride on platforms
        /// that move from then on. A game that pauses sets the same time again, and may set it back.
        /// With a number that is not finite, as in the beginning, no agent rides.
        /// </summary>
        public void SetClock(double seconds)
        {
            Nb.Check(Native.nb_nav_set_clock(this, seconds));
        }

        /// <summary>
        /// Closes or opens every door of a name. Agents plan again around a door that
        /// closes.
        /// </summary>
        public void SetDoor(string name, bool closed)
        {
            Nb.Check(Native.nb_nav_set_door(this, name, closed));
        }

        /// <summary>Whether a door of that name is closed.</summary>
        public bool IsDoorClosed(string name)
        {
            Nb.Check(Native.nb_nav_is_door_closed(this, name, out bool isClosed));
            return isClosed;
        }

        /// <summary>
        /// Closes any rectangle with finite corners, for instance where a boulder lies. One that
        /// is closed twice is open when it was opened twice.
        /// </summary>
        public void CloseRegion(NbVec2 corner, NbVec2 opposite)
        {
            Nb.Check(Native.nb_nav_close_region(this, corner, opposite));
        }

        /// <summary>
        /// Opens a rectangle again that was closed with these corners. Nothing changes if it is
        /// open.
        /// </summary>
        public void OpenRegion(NbVec2 corner, NbVec2 opposite)
        {
            Nb.Check(Native.nb_nav_open_region(this, corner, opposite));
        }

        /// <summary>
        /// Takes everything solid in a rectangle with finite corners out of the level: ground that
        /// crumbles. Give it all of the ground that is gone, to its lower side. Agents on it fall in
        /// their next step and find other ways. It takes the time of loading a mesh.
        /// </summary>
        public void Remove(NbVec2 corner, NbVec2 opposite)
        {
            Nb.Check(Native.nb_nav_remove(this, corner, opposite));
        }

        /// <summary>
        /// Puts back what <c>NbNav.Remove</c> took out of a rectangle with these corners. Nothing changes
        /// if it was not removed. One that was removed twice is back when it was restored twice.
        /// </summary>
        public void Restore(NbVec2 corner, NbVec2 opposite)
        {
            Nb.Check(Native.nb_nav_restore(this, corner, opposite));
        }

        /// <summary>
        /// Finds the fastest path of a layer at once, around the doors that are closed. That there
        /// is none is not an error: see <c>Found</c>.
        /// </summary>
        public void Find(uint layer, NbQuery query, out NbPath path, out NbStep[] steps)
        {
            path = new NbPath { size = (uint)Marshal.SizeOf<NbPath>() };
            using (var memory = new Memory())
            {
                UIntPtr count;
                var buffer = new NbStep[32];
                while (Nb.IsLonger(Native.nb_nav_find(this, layer, memory.Put(query), ref path, buffer, (UIntPtr)buffer.Length, (UIntPtr)Marshal.SizeOf<NbStep>(), out count), ref buffer, count)) { }
                Array.Resize(ref buffer, (int)count);
                steps = buffer;
            }
        }

        /// <summary>
        /// Builds an index of routes for agents like the query: with its profile, and with the
        /// edges and caution of its filter. <c>NbMesh.LayerIndexRoutes</c> is for agents as they were
        /// baked. Call it while the level loads; every search uses the index. For an
        /// <c>NbAgent</c> give a profile, also if it is that of the layer. Returns the size of the index
        /// in memory: 0 for layers of agents that both walk and fly, and for the ninth kind of agent
        /// in a layer. The positions of the query do not matter, but must be finite.
        /// </summary>
        public UIntPtr IndexRoutes(uint layer, NbQuery query)
        {
            using (var memory = new Memory())
            {
                Nb.Check(Native.nb_nav_index_routes(this, layer, memory.Put(query), out UIntPtr bytes));
                return bytes;
            }
        }

        /// <summary>
        /// Whether nothing solid, and no closed door, is on a straight line. The
        /// smaller the body of the layer's agent, the more exact it is.
        /// </summary>
        public bool LineOfSight(uint layer, NbVec2 from, NbVec2 to)
        {
            Nb.Check(Native.nb_nav_line_of_sight(this, layer, from, to, out bool isFree));
            return isFree;
        }
    }

    /// <summary>An agent that follows paths.</summary>
    public sealed partial class NbAgent : NbObject
    {
        NbAgent() { }

        internal override void Free(IntPtr handle) => Native.nb_agent_free(handle);

        /// <summary>
        /// Makes an agent of a layer with its feet at a position. In the first step it finds
        /// its place there; in the air above a floor, it begins with a fall. It moves in the
        /// layer that a level was baked with for its agent, in this or any other level.
        /// </summary>
        public static NbAgent New(NbMesh mesh, uint layer, NbVec2 position)
        {
            Nb.Check(Native.nb_agent_new(mesh, layer, position, out NbAgent agent));
            return agent;
        }

        /// <summary>Stops an agent and takes back its request for a path.</summary>
        public void Cancel(NbNav nav)
        {
            Nb.Check(Native.nb_agent_cancel(this, nav));
        }

        /// <summary>
        /// Sends an agent to a position: from where it is on a floor and in flight, from the
        /// end of a jump. May be called in every frame. A position that is not finite is an error.
        /// </summary>
        public void SetDestination(NbVec2 destination)
        {
            Nb.Check(Native.nb_agent_set_destination(this, destination));
        }

        /// <summary>The destination of an agent; its position if it has none.</summary>
        public NbVec2 Destination()
        {
            Nb.Check(Native.nb_agent_destination(this, out NbVec2 destination));
            return destination;
        }

        /// <summary>Stops an agent. A jump is finished first.</summary>
        public void Stop()
        {
            Nb.Check(Native.nb_agent_stop(this));
        }

        /// <summary>
        /// Throws an agent with a velocity: an explosion, a hit. When it has landed, it goes
        /// on to its destination.
        /// </summary>
        public void Launch(NbVec2 velocity)
        {
            Nb.Check(Native.nb_agent_launch(this, velocity));
        }

        /// <summary>Stuns an agent until it is enabled: it lies where it is, or falls first.</summary>
        public void Stun()
        {
            Nb.Check(Native.nb_agent_stun(this));
        }

        /// <summary>Disables an agent until it is enabled: it does not move, even in mid-air.</summary>
        public void Disable()
        {
            Nb.Check(Native.nb_agent_disable(this));
        }

        /// <summary>Ends a stun or a disabling.</summary>
        public void Enable()
        {
            Nb.Check(Native.nb_agent_enable(this));
        }

        /// <summary>
        /// Ends a link that the game performs: the agent goes on from the end of the link, and one
        /// that drives a body from where the body is.
        /// </summary>
        public void FinishLink()
        {
            Nb.Check(Native.nb_agent_finish_link(this));
        }

        /// <summary>Moves an agent to another position, where it finds its place.</summary>
        public void Teleport(NbVec2 position)
        {
            Nb.Check(Native.nb_agent_teleport(this, position));
        }

        /// <summary>
        /// Whether an agent that cannot reach its destination goes to the reachable point
        /// nearest to it. A new agent does not.
        /// </summary>
        public void SetAllowPartialPath(bool allow)
        {
            Nb.Check(Native.nb_agent_set_allow_partial_path(this, allow));
        }

        /// <summary>
        /// Lets the paths of an agent lead through closed doors that are breakable, for about so
        /// many seconds each; less than 0, or no number, for an agent that breaks nothing.
        /// </summary>
        public void SetBreakCost(float seconds)
        {
            Nb.Check(Native.nb_agent_set_break_cost(this, seconds));
        }

        /// <summary>Sets how an agent moves where others of its level are in its way: one of <c>NbAvoidance</c>.</summary>
        public void SetAvoidance(NbAvoidance avoidance)
        {
            Nb.Check(Native.nb_agent_set_avoidance(this, avoidance));
        }

        /// <summary>
        /// Sets the greatest distance between the planned position of a body that moves exactly
        /// and the one that <c>NbAgent.Drive</c> reports, finite and not negative. Half the grid's
        /// spacing for a new agent.
        /// </summary>
        public void SetTolerance(float tolerance)
        {
            Nb.Check(Native.nb_agent_set_tolerance(this, tolerance));
        }

        /// <summary>
        /// Sets other limits than the layer was baked for, for instance those of a wounded
        /// agent. <c>Body</c> and <c>Down</c> are not read. Begin with <c>NbMesh.LayerProfile</c>.
        /// </summary>
        public void SetProfile(NbProfile profile)
        {
            profile.size = (uint)Marshal.SizeOf<NbProfile>();
            Nb.Check(Native.nb_agent_set_profile(this, ref profile));
        }

        /// <summary>
        /// Sets what the paths of an agent may not use, and what costs more; null for nothing.
        /// Close doors that concern all agents with <c>NbNav.SetDoor</c> instead.
        /// </summary>
        public void SetFilter(NbFilter? filter)
        {
            using (var memory = new Memory())
            {
                Nb.Check(Native.nb_agent_set_filter(this, memory.Put(filter)));
            }
        }

        /// <summary>
        /// Sets the greatest horizontal acceleration in the air of a body that
        /// <c>NbAgent.Drive</c> steers; infinity for none. A new agent has that of its profile.
        /// </summary>
        public void SetAirAcceleration(float acceleration)
        {
            Nb.Check(Native.nb_agent_set_air_acceleration(this, acceleration));
        }

        /// <summary>
        /// Moves an agent on by <c>Seconds</c>, which are finite and not negative, and writes its
        /// pose. A level that was not baked for the agent is an error.
        /// </summary>
        public NbPose Step(NbNav nav, float seconds)
        {
            var pose = new NbPose { size = (uint)Marshal.SizeOf<NbPose>() };
            Nb.Check(Native.nb_agent_step(this, nav, seconds, ref pose));
            return pose;
        }

        /// <summary>
        /// One fixed step of an agent whose body the game's physics moves, instead of
        /// <c>NbAgent.Step</c>: reports the body, and writes what the body should do. <c>Seconds</c> are
        /// finite and not negative. The guide <c>motion.md</c> of navmesh-runtime has the loop.
        /// </summary>
        public NbCommand Drive(NbNav nav, NbBody body, float seconds)
        {
            body.size = (uint)Marshal.SizeOf<NbBody>();
            var command = new NbCommand { size = (uint)Marshal.SizeOf<NbCommand>() };
            Nb.Check(Native.nb_agent_drive(this, nav, ref body, seconds, ref command));
            return command;
        }

        /// <summary>Where an agent is and what it does, without a step.</summary>
        public NbPose Pose()
        {
            var pose = new NbPose { size = (uint)Marshal.SizeOf<NbPose>() };
            Nb.Check(Native.nb_agent_pose(this, ref pose));
            return pose;
        }

        /// <summary>What happened in the last step, in order.</summary>
        public NbEvent[] Events()
        {
            UIntPtr count;
            var buffer = Array.Empty<NbEvent>();
            while (Nb.IsLonger(Native.nb_agent_events(this, buffer, (UIntPtr)buffer.Length, (UIntPtr)Marshal.SizeOf<NbEvent>(), out count), ref buffer, count)) { }
            Array.Resize(ref buffer, (int)count);
            return buffer;
        }

        /// <summary>The steps ahead of an agent, for drawing.</summary>
        public NbStep[] RemainingPath()
        {
            UIntPtr count;
            var buffer = Array.Empty<NbStep>();
            while (Nb.IsLonger(Native.nb_agent_remaining_path(this, buffer, (UIntPtr)buffer.Length, (UIntPtr)Marshal.SizeOf<NbStep>(), out count), ref buffer, count)) { }
            Array.Resize(ref buffer, (int)count);
            return buffer;
        }
    }

    /// <summary>The tasks that tree files may name: the ready-made ones and those of the game.</summary>
    public sealed partial class NbTasks : NbObject
    {
        NbTasks() { }

        internal override void Free(IntPtr handle) => Native.nb_tasks_free(handle);

        /// <summary>Makes a list of tasks with the ready-made ones.</summary>
        public static NbTasks New()
        {
            Nb.Check(Native.nb_tasks_new(out NbTasks tasks));
            return tasks;
        }
    }

    /// <summary>A tree: what all agents of a kind do.</summary>
    public sealed partial class NbTree : NbObject
    {
        NbTree() { }

        internal override void Free(IntPtr handle) => Native.nb_tree_free(handle);

        /// <summary>
        /// Makes a tree from the text of a file, in RON or JSON. Its mistakes are in the
        /// message, with the path of the node.
        /// </summary>
        public static NbTree Load(NbTasks tasks, byte[] data)
        {
            Nb.Check(Native.nb_tree_load(tasks, data, (UIntPtr)data.Length, out NbTree tree));
            return tree;
        }
    }

    /// <summary>Tokens and waypoints that the agents of a level share.</summary>
    public sealed partial class NbPools : NbObject
    {
        NbPools() { }

        internal override void Free(IntPtr handle) => Native.nb_pools_free(handle);

        /// <summary>
        /// Makes the pools of a level: the waypoints of its markers, in the pools that they
        /// name.
        /// </summary>
        public static NbPools New(NbMesh mesh)
        {
            Nb.Check(Native.nb_pools_new(mesh, out NbPools pools));
            return pools;
        }

        /// <summary>
        /// Adds a pool of tokens, in place of one of that name: at most <c>limit</c> agents hold one
        /// at a time. States that exist keep the pools that they were made with.
        /// </summary>
        public void AddTokens(string name, uint limit)
        {
            Nb.Check(Native.nb_pools_add_tokens(this, name, limit));
        }
    }

    /// <summary>What one agent is doing in its tree.</summary>
    public sealed partial class NbTreeState : NbObject
    {
        NbTreeState() { }

        internal override void Free(IntPtr handle) => Native.nb_state_free(handle);

        /// <summary>
        /// Stores a position on the agent's blackboard, under a key of the tree. A task of the
        /// game may use the blackboard of the state that is being ticked.
        /// </summary>
        public void SetPosition(string key, NbVec2 position)
        {
            Nb.Check(Native.nb_state_set_position(this, key, position));
        }

        /// <summary>
        /// Reads a position from the agent's blackboard. As with numbers and texts, the result is
        /// <c>NbResult.ErrorUnknown</c> if the key was never set.
        /// </summary>
        public NbVec2 Position(string key)
        {
            Nb.Check(Native.nb_state_position(this, key, out NbVec2 position));
            return position;
        }

        /// <summary>
        /// Stores a number on the agent's blackboard, under a key of type <c>float</c>, <c>int</c>, <c>bool</c>
        /// or <c>entity</c> of the tree. Numbers for <c>int</c> are rounded towards 0; for <c>bool</c>, 0 is
        /// false; those of entities are whole. A number that the type does not hold is an error.
        /// </summary>
        public void SetNumber(string key, double number)
        {
            Nb.Check(Native.nb_state_set_number(this, key, number));
        }

        /// <summary>
        /// Reads a number from the agent's blackboard, of one of these types; for <c>bool</c>, 1 or 0.
        /// Those of <c>int</c> and <c>entity</c> are exact up to 2^53.
        /// </summary>
        public double Number(string key)
        {
            Nb.Check(Native.nb_state_number(this, key, out double number));
            return number;
        }

        /// <summary>Stores a text on the agent's blackboard, under a key of type <c>text</c> of the tree.</summary>
        public void SetText(string key, string value)
        {
            Nb.Check(Native.nb_state_set_text(this, key, value));
        }

        /// <summary>Reads a text from the agent's blackboard.</summary>
        public string Text(string key)
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_state_text(this, key, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>Makes the state of a new agent in a tree. <c>pools</c> may be null if the tree uses none.</summary>
        public static NbTreeState New(NbTree tree, NbPools pools = null)
        {
            Nb.Check(Native.nb_state_new(tree, pools ?? NbPools.None, out NbTreeState state));
            return state;
        }

        /// <summary>
        /// Records the last ticks of a state for <c>NbTreeState.Trace</c>, at most <c>ticks</c>; 0 records nothing,
        /// as in the beginning.
        /// </summary>
        public void SetTrace(uint ticks)
        {
            Nb.Check(Native.nb_state_set_trace(this, ticks));
        }

        /// <summary>
        /// The recorded ticks, one line of JSON for each, oldest first: which nodes ran, with their
        /// paths, their statuses and the reasons for these.
        /// </summary>
        public string Trace()
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_state_trace(this, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>
        /// The nodes that are running: for each innermost one a line with its path, the labels from
        /// the root joined by <c>/</c>.
        /// </summary>
        public string Running()
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_state_running(this, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>
        /// Writes a state as a line of JSON for a saved game: what runs, the blackboard, the clock,
        /// tokens and waypoints.
        /// </summary>
        public string Save()
        {
            UIntPtr count;
            var buffer = Array.Empty<byte>();
            while (Nb.IsLonger(Native.nb_state_save(this, buffer, (UIntPtr)buffer.Length, out count), ref buffer, count)) { }
            return Encoding.UTF8.GetString(buffer, 0, (int)count);
        }

        /// <summary>
        /// Reads what <c>NbTreeState.Save</c> wrote into a new state of the same tree, whose pools no agent
        /// has used yet. Restore all agents of a level before the next tick. After an error, free the
        /// state.
        /// </summary>
        public void Restore(string saved)
        {
            Nb.Check(Native.nb_state_restore(this, saved));
        }

        /// <summary>The seconds on an agent's clock: the sum of its ticks.</summary>
        public double Now()
        {
            Nb.Check(Native.nb_state_now(this, out double seconds));
            return seconds;
        }
    }

    static class Native
    {
        const string Library = Nb.Library;

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint nb_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr nb_runtime_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_new(NbMesh mesh, uint layer, NbVec2 position, out NbAgent agent);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void nb_agent_free(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_cancel(NbAgent agent, NbNav nav);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_destination(NbAgent agent, NbVec2 destination);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_destination(NbAgent agent, out NbVec2 destination);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_stop(NbAgent agent);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_launch(NbAgent agent, NbVec2 velocity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_stun(NbAgent agent);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_disable(NbAgent agent);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_enable(NbAgent agent);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_finish_link(NbAgent agent);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_teleport(NbAgent agent, NbVec2 position);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_allow_partial_path(NbAgent agent, [MarshalAs(UnmanagedType.Bool)] bool allow);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_break_cost(NbAgent agent, float seconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_avoidance(NbAgent agent, NbAvoidance avoidance);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_tolerance(NbAgent agent, float tolerance);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_profile(NbAgent agent, ref NbProfile profile);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_filter(NbAgent agent, IntPtr filter);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_set_air_acceleration(NbAgent agent, float acceleration);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_step(NbAgent agent, NbNav nav, float seconds, ref NbPose pose);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_drive(NbAgent agent, NbNav nav, ref NbBody body, float seconds, ref NbCommand command);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_pose(NbAgent agent, ref NbPose pose);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_events(NbAgent agent, [Out] NbEvent[] events, UIntPtr capacity, UIntPtr size, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_agent_remaining_path(NbAgent agent, [Out] NbStep[] steps, UIntPtr capacity, UIntPtr size, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_set_position(NbTreeState state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, NbVec2 position);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_position(NbTreeState state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, out NbVec2 position);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_set_number(NbTreeState state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, double number);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_number(NbTreeState state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, out double number);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_set_text(NbTreeState state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, [MarshalAs(UnmanagedType.LPUTF8Str)] string value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_text(NbTreeState state, [MarshalAs(UnmanagedType.LPUTF8Str)] string key, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern IntPtr nb_error_message();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_layer_platforms(NbMesh mesh, uint layer, [Out] NbPlatform[] platforms, UIntPtr capacity, UIntPtr size, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_platform_points(NbMesh mesh, uint layer, uint platform, [Out] NbVec2[] points, UIntPtr capacity, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_layer_links(NbMesh mesh, uint layer, [Out] NbLink[] links, UIntPtr capacity, UIntPtr size, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_link_points(NbMesh mesh, uint layer, uint link, [Out] NbVec2[] points, UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_mesh_load(byte[] data, UIntPtr length, out NbMesh mesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_mesh_load_file([MarshalAs(UnmanagedType.LPUTF8Str)] string path, out NbMesh mesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void nb_mesh_free(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint nb_mesh_layer_count(NbMesh mesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_mesh_layer(NbMesh mesh, [MarshalAs(UnmanagedType.LPUTF8Str)] string agent, out uint layer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_layer_name(NbMesh mesh, uint layer, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_layer_profile(NbMesh mesh, uint layer, ref NbProfile profile);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_layer_place(NbMesh mesh, uint layer, NbVec2 position, out NbVec2 placeAt);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_layer_floor_ends(NbMesh mesh, uint layer, NbVec2 position, out NbVec2 left, out NbVec2 right);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_layer_index_routes(NbMesh mesh, uint layer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint nb_mesh_marker_count(NbMesh mesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_mesh_marker(NbMesh mesh, uint number, ref NbMarker marker);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_mesh_find_markers(NbMesh mesh, NbMarkerKind kind, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, [Out] uint[] numbers, UIntPtr capacity, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_mesh_moving_platforms(NbMesh mesh, double seconds, [Out] NbMovingPlatform[] platforms, UIntPtr capacity, UIntPtr size, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_marker_name(NbMesh mesh, uint number, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_marker_class(NbMesh mesh, uint number, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint nb_marker_property_count(NbMesh mesh, uint number);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_marker_property_name(NbMesh mesh, uint number, uint index, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_marker_property(NbMesh mesh, uint number, [MarshalAs(UnmanagedType.LPUTF8Str)] string property, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_new(NbMesh mesh, out NbNav nav);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void nb_nav_free(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_set_mesh(NbNav nav, NbMesh mesh);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_set_budget(NbNav nav, uint nodes);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_work(NbNav nav, out uint answered);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_set_clock(NbNav nav, double seconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_set_door(NbNav nav, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, [MarshalAs(UnmanagedType.Bool)] bool closed);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_is_door_closed(NbNav nav, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, [MarshalAs(UnmanagedType.Bool)] out bool isClosed);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_close_region(NbNav nav, NbVec2 corner, NbVec2 opposite);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_open_region(NbNav nav, NbVec2 corner, NbVec2 opposite);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_remove(NbNav nav, NbVec2 corner, NbVec2 opposite);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_restore(NbNav nav, NbVec2 corner, NbVec2 opposite);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_find(NbNav nav, uint layer, IntPtr query, ref NbPath path, [Out] NbStep[] steps, UIntPtr capacity, UIntPtr size, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_index_routes(NbNav nav, uint layer, IntPtr query, out UIntPtr bytes);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_nav_line_of_sight(NbNav nav, uint layer, NbVec2 from, NbVec2 to, [MarshalAs(UnmanagedType.Bool)] out bool isFree);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_tasks_new(out NbTasks tasks);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void nb_tasks_free(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_tasks_add(NbTasks tasks, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, TaskFn function, IntPtr user);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_tree_load(NbTasks tasks, byte[] data, UIntPtr length, out NbTree tree);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void nb_tree_free(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_pools_new(NbMesh mesh, out NbPools pools);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_pools_add_tokens(NbPools pools, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, uint limit);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void nb_pools_free(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_new(NbTree tree, NbPools pools, out NbTreeState state);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void nb_state_free(IntPtr handle);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_tick(NbTreeState state, ref NbTickRaw tick, out NbStatus status);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_reset(NbTreeState state, ref NbTickRaw tick);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_migrate(NbTreeState state, NbTree tree, NbPools pools, ref NbTickRaw tick);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_set_trace(NbTreeState state, uint ticks);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_trace(NbTreeState state, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_running(NbTreeState state, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_save(NbTreeState state, [Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_restore(NbTreeState state, [MarshalAs(UnmanagedType.LPUTF8Str)] string saved);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern NbResult nb_state_now(NbTreeState state, out double seconds);
    }
}
